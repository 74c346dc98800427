#pragma once

#include <vector>

#include "core/analysis/output_head.h"
#include "core/base/thread_pool.h"
#include "core/trace/trace.h"

namespace glassformer {

struct TunedLens;

/// What a model would say if its last block were an earlier one.
struct LensLayer {
    int positions = 0, d_vocab = 0;
    std::vector<float> logits, probabilities;  // [pos, d_vocab]
};

/// A word of a prediction.
struct LensWord {
    int id = 0;
    float logit = 0.0f, probability = 0.0f;
};

/// The logit lens (nostalgebraist 2020, "interpreting GPT: the logit lens"): every residual stream read by the model's
/// own output head, the final norm, with the statistics of that stream, and the unembedding:
///     logits(l, p) = norm_final(stream_l[p]) · W_U,    probabilities = softmax(logits)
/// The ops after the last block are run again with an earlier stream in the place of the last one, so that every norm
/// and unembedding is the model's, and the last layer gives the trace's logits to the last bit.
///
/// The streams are those of the trace, with what interventions set in them; with a tuned lens, each goes through its
/// layer's map first. Keeps a reference to the pool. Not thread-safe.
class LogitLens {
public:
    /// Throws Error for a model that has no residual streams, or whose output is not a word at every position.
    LogitLens(std::shared_ptr<const Trace> trace, ThreadPool& pool, std::shared_ptr<const TunedLens> tuned = nullptr);

    /// n_layers + 1; layer 0 is the embedding with its position.
    int layers() const { return static_cast<int>(head_.streams.size()); }
    /// Throws Error for a layer outside 0 … layers() − 1.
    LensLayer layer(int layer) const { return rows(layer, {0, trace_->positions()}); }
    /// The same for some positions only: the first row is that of the first of them. Throws Error, too, for positions
    /// that there are not. Where the final norm is over all positions, all are computed.
    LensLayer rows(int layer, Slices positions) const;

private:
    std::shared_ptr<const Trace> trace_;
    OutputHead head_;
    ThreadPool& pool_;
    std::shared_ptr<const TunedLens> tuned_;  // null: the plain lens
};

/// The `count` most probable words at a position, the most probable first; of equals the one with the smaller id.
std::vector<LensWord> top_words(const LensLayer& layer, int position, std::size_t count);

}  // namespace glassformer
