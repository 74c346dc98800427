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

/// The `count` likeliest words that the model itself says at a position (its last layer), the likeliest first; of
/// equals the one with the smaller id. Their probabilities are softmax(logits / temperature), summed over all words in
/// double; at 1 they are the trace's own. Only for models that say a word at every position.
std::vector<LensWord> likeliest_words(const Trace& trace, int position, std::size_t count, float temperature = 1.0f);

/// What the logit lens finds in one sentence's trace. Made once a trace, since running the output head for every layer
/// takes longer than a frame may for larger models, and asked every frame. Where the trace has not kept its logits, a
/// thread of its own reads the positions that are asked for, a few at a time.
class LensReading {
public:
    /// Through a tuned lens where there is one. What `before` has read is taken over where this text is that one, gone
    /// on with by a model that looks back only.
    explicit LensReading(const std::shared_ptr<const Trace>& trace, std::shared_ptr<const TunedLens> tuned = nullptr,
                         LensReading* before = nullptr);

    bool of(const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const TunedLens>& tuned = nullptr) const {
        return trace_.lock() == trace && tuned_ == tuned;
    }
    /// Nothing more is read. Whoever keeps it for a while has not to wait for the thread in the end.
    void stop() { thread_.request_stop(); }
    /// Why there is nothing to see; empty where there is. The thread may fail later: its memory, or the weights' file.
    const std::string& why_not() const { return failed_.load(std::memory_order_acquire) ? failure_ : why_not_; }
    /// n_layers + 1; layer 0 is the embedding.
    int layers() const { return layers_; }
    /// The likeliest word after `layer` blocks; null as long as it is not read.
    const LensWord* best(int layer, int position);
    /// likeliest_words() of the trace, kept until another list is asked for.
    const std::vector<LensWord>& top(const Trace& trace, int position, int count, float temperature);

private:
    void read(const LogitLens& lens, int layer, int block);
    Turn read_wanted(const std::stop_token& stop);
    void take_over(LensReading& before, const Trace& trace);
    std::atomic<bool>& ready(int layer, int position) { return ready_[layer * positions_ + position]; }

    std::weak_ptr<const Trace> trace_;  // not held: a trace keeps the memory of a run
    std::shared_ptr<const TunedLens> tuned_;
    std::vector<int> grows_from_;  // the text, where what is read of it holds when it goes on; else empty
    std::weak_ptr<const ParameterValues> parameters_;
    std::string why_not_, failure_;  // failure_: the thread's, read once failed_ is set
    std::atomic<bool> failed_{false};
    int layers_ = 0, positions_ = 0;
    std::vector<LensWord> best_;           // [layer, pos]
    std::deque<std::atomic<bool>> ready_;  // [layer, pos]
    std::atomic<int> wanted_{-1};          // the block that was asked for last and is not there

    int top_position_ = -1, top_count_ = 0;
    float top_temperature_ = 0.0f;
    std::vector<LensWord> top_;
    Background thread_;  // the last member: it ends before the others do
};

}  // namespace glassformer::app
