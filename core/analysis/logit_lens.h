#pragma once

#include <vector>

#include "core/analysis/output_head.h"
#include "core/base/thread_pool.h"
#include "core/trace/trace.h"

namespace glassformer {

struct TunedLens;

/// What the model would predict if it stopped after an earlier block.
struct LensLayer {
    int positions = 0, d_vocab = 0;
    std::vector<float> logits, probabilities;  // [pos, d_vocab]
};

/// One word of a prediction.
struct LensWord {
    int id = 0;
    float logit = 0.0f, probability = 0.0f;
};

/// The logit lens (nostalgebraist 2020, "interpreting GPT: the logit lens"): reads every residual stream with the
/// model's own output head, that is, the final norm (with the statistics of that stream) and the unembedding:
///     logits(l, p) = norm_final(stream_l[p]) · W_U,    probabilities = softmax(logits)
/// Reruns the ops after the last block with an earlier stream in place of the last one. So every kind of norm and
/// unembedding works, and the last layer reproduces the trace's logits bit for bit.
///
/// The streams are those of the trace, including the values set by interventions. With a tuned lens, each stream goes
/// through its layer's map first. Keeps a reference to the pool. Not thread-safe.
class LogitLens {
public:
    /// Throws Error for a model without residual streams, or one that does not predict a word at every position.
    LogitLens(std::shared_ptr<const Trace> trace, ThreadPool& pool, std::shared_ptr<const TunedLens> tuned = nullptr);

    /// n_layers + 1; layer 0 is the embedding plus position.
    int layers() const { return static_cast<int>(head_.streams.size()); }
    /// Throws Error if `layer` is outside 0 … layers() − 1.
    LensLayer layer(int layer) const { return rows(layer, {0, trace_->positions()}); }
    /// The same for some positions only: row 0 is the first of them. Also throws Error if the positions are out of
    /// range. If the final norm spans all positions, all of them are computed.
    LensLayer rows(int layer, Slices positions) const;

private:
    std::shared_ptr<const Trace> trace_;
    OutputHead head_;
    ThreadPool& pool_;
    std::shared_ptr<const TunedLens> tuned_;  // null: the plain logit lens
};

/// Returns the `count` most probable words at a position, most probable first; ties go to the smaller id.
std::vector<LensWord> top_words(const LensLayer& layer, int position, std::size_t count);

}  // namespace glassformer
