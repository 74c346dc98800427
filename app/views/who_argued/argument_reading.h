#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/common/lens_reading.h"
#include "core/analysis/contributions.h"

namespace glassformer::app::views::who_argued {

/// What a logit is compared with (ViewState::argued_against).
enum class Against { nothing, mean, runner_up };

/// The norm ‖x‖ of the residual stream at one position after a part of the model, and ‖Δ‖ of the part's change.
struct StreamNorm {
    const char *part, *brief;  // "attention", "attn"; in English
    Contribution::Kind kind = Contribution::Kind::embed;
    int block = -1;  // of the part; −1: none
    int node = -1;
    double norm = 0.0;
    double change = 0.0;  // from the previous stream; 0 for the first one
};

/// One question to "Logit attribution": a word at one position of a sentence's trace.
struct Argument {
    int position = 0;
    int word = -1;  // −1: the likeliest there
    Against against = Against::mean;
    bool operator==(const Argument&) const = default;
};

/// The answer: computed once per question, read every frame.
class ArgumentReading {
public:
    static constexpr std::size_t candidates_kept = 20;

    ArgumentReading(const std::shared_ptr<const Trace>& trace, const Argument& asked);

    bool of(const std::shared_ptr<const Trace>& trace, const Argument& asked) const {
        return trace_.lock() == trace && asked_ == asked;
    }
    /// Why the logit cannot be decomposed; empty if it can.
    const std::string& why_not() const { return why_not_; }
    int word() const { return word_; }
    /// The likeliest word other than word(); −1 if the model does not predict words.
    int runner_up() const { return runner_up_; }
    /// The likeliest words, likeliest first.
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
