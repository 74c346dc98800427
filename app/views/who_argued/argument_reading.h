#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/common/lens_reading.h"
#include "core/analysis/contributions.h"

namespace glassformer::app::views::who_argued {

/// What a logit is compared with (ViewState::argued_against).
enum class Against { nothing, mean, runner_up };

/// The length of the residual stream ‖x‖ at one place after a part of the model, and of the part's change ‖Δ‖.
struct StreamNorm {
    const char *part, *brief;  // "attention", "attn"; in English
    Contribution::Kind kind = Contribution::Kind::embed;
    int block = -1;  // that the part is in; −1: none
    int node = -1;
    double norm = 0.0;
    double change = 0.0;  // from the stream before; of the first stream 0
};

/// One question to "Logit attribution": a word at a place of one sentence's trace.
struct Argument {
    int position = 0;
    int word = -1;  // −1: the likeliest there
    Against against = Against::mean;
    bool operator==(const Argument&) const = default;
};

/// The answer; made once a question, and asked every frame.
class ArgumentReading {
public:
    static constexpr std::size_t candidates_kept = 20;

    ArgumentReading(const std::shared_ptr<const Trace>& trace, const Argument& asked);

    bool of(const std::shared_ptr<const Trace>& trace, const Argument& asked) const {
        return trace_.lock() == trace && asked_ == asked;
    }
    /// Why the logit cannot be shared out; empty where it can.
    const std::string& why_not() const { return why_not_; }
    int word() const { return word_; }
    /// The likeliest word that is not the word itself; −1 where the model says no words.
    int runner_up() const { return runner_up_; }
    /// The likeliest words, the likeliest first.
    const std::vector<LensWord>& candidates() const { return candidates_; }
    const Contributions& parts() const { return parts_; }
    /// By layer; empty for a model without a residual stream.
    const std::vector<StreamNorm>& norms() const { return norms_; }

private:
    std::weak_ptr<const Trace> trace_;
    Argument asked_;
    std::string why_not_;
    int word_ = -1, runner_up_ = -1;
    std::vector<LensWord> candidates_;
    Contributions parts_;
    std::vector<StreamNorm> norms_;
};

}  // namespace glassformer::app::views::who_argued
