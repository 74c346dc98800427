#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/logit_lens.h"
#include "core/analysis/tuned_lens.h"
#include "core/base/background.h"

namespace glassformer::app {

/// The `count` most likely words that the model itself predicts at a position (its last layer), most likely first; ties
/// go to the smaller ID. Their probabilities are softmax(logits / temperature), summed over all words in double; at 1
/// they are the trace's own. Only for models that predict a word at every position.
std::vector<LensWord> likeliest_words(const Trace& trace, int position, std::size_t count, float temperature = 1.0f);

/// What the logit lens finds in one sentence's trace. Created once per trace, because for larger models running the
/// output head for every layer takes longer than a frame; queried every frame. If the trace has not kept its logits,
/// the requested positions are read in the background, a few at a time.
class LensReading {
public:
    /// Uses the tuned lens if there is one. Reuses what `before` has read if this text continues that one and the model
    /// only looks back.
    explicit LensReading(const std::shared_ptr<const Trace>& trace, std::shared_ptr<const TunedLens> tuned = nullptr,
                         LensReading* before = nullptr);

    bool of(const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const TunedLens>& tuned = nullptr) const {
        return trace_.lock() == trace && tuned_ == tuned;
    }
    /// Stops reading. Whoever keeps this object for a while then need not wait for the task when destroying it.
    void stop() { thread_.request_stop(); }
    /// Why there is nothing to show; empty if there is something. The task may also fail later: too little memory, or a
    /// changed weights file.
    const std::string& why_not() const { return failed_.load(std::memory_order_acquire) ? failure_ : why_not_; }
    /// n_layers + 1; layer 0 is the embedding.
    int layers() const { return layers_; }
    /// The most likely word after `layer` blocks; null until it is read.
    const LensWord* best(int layer, int position);
    /// likeliest_words() of the trace, cached until another list is requested.
    const std::vector<LensWord>& top(const Trace& trace, int position, int count, float temperature);

private:
    void read(const LogitLens& lens, int layer, int block);
    Turn read_wanted(const std::stop_token& stop);
    void take_over(LensReading& before, const Trace& trace);
    std::atomic<bool>& ready(int layer, int position) { return ready_[layer * positions_ + position]; }

    std::weak_ptr<const Trace> trace_;  // weak: a trace keeps the memory of a run
    std::shared_ptr<const TunedLens> tuned_;
    std::vector<int> grows_from_;  // the text, if what is read of it stays valid when it continues; else empty
    std::weak_ptr<const ParameterValues> parameters_;
    std::string why_not_, failure_;  // failure_: the task's, read it only once failed_ is set
    std::atomic<bool> failed_{false};
    int layers_ = 0, positions_ = 0;
    std::vector<LensWord> best_;           // [layer, pos]
    std::deque<std::atomic<bool>> ready_;  // [layer, pos]
    std::atomic<int> wanted_{-1};          // the block of positions requested last and not read yet

    int top_position_ = -1, top_count_ = 0;
    float top_temperature_ = 0.0f;
    std::vector<LensWord> top_;
    Background thread_;  // last member: stops before the others are destroyed
};

}  // namespace glassformer::app
