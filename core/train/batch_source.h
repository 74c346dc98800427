#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/nn/transformer.h"

namespace glassformer {

/// One batch: the values of the model's inputs, each row-major in the shape given by TransformerGraph. Sentences are
/// padded to the same length. Inputs that the model does not have stay empty.
struct Batch {
    std::vector<float> tokens, values, key_mask, source_tokens, source_key_mask, targets, target_values, loss_weights;
    /// No input: `tokens` before words were replaced by <mask>; empty if none ever is. A target need not be the word
    /// that was replaced: it may be what a pronoun means.
    std::vector<float> unmasked;

    std::span<const float> unmasked_tokens() const { return unmasked.empty() ? tokens : unmasked; }
};

/// Sets every input of the model from the batch, and that this is not training: no dropout, and batch normalization
/// with its running statistics. Throws Error if a size is wrong.
void set_inputs(Execution& run, const TransformerGraph& model, const Batch& batch);
/// The same for training update number `step` (from 1), which dropout and batch normalization need.
void set_training_inputs(Execution& run, const TransformerGraph& model, const Batch& batch, std::uint64_t seed,
                         std::int64_t step);
/// Number of words in a batch, padding excluded. Words of source sentences count too. Without a key mask, the number of
/// predictions.
std::int64_t words_of(const Batch& batch);

/// Where a Trainer's batches come from.
class BatchSource {
public:
    virtual ~BatchSource() = default;

    /// Lengths of the sentences, padding included. The trainer chooses the batch size.
    virtual BatchShape shape(int batch) const = 0;
    /// Fills `out` with the batch of update number `step` (from 1), which depends on the arguments alone. Allocates
    /// nothing if `out` was filled at this size before.
    virtual void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const = 0;
    /// Fills the single batch, of at most `most` sentences, that held-out loss is measured on, and returns its size.
    /// The default is the draw of step 0, which training never uses: its steps count from 1.
    virtual int eval_batch(int most, Batch& out) const {
        draw(1, 0, most, out);
        return most;
    }

    /// Number of sentences it draws from (tokens, for a text); 0 if every sentence is generated anew.
    virtual std::int64_t size() const { return 0; }
    /// A source that draws from a part of these sentences: always the same ones, and at least one. A smaller share is a
    /// subset of a larger one. For a text, its beginning. Throws Error if sentences are generated anew.
    virtual std::shared_ptr<const BatchSource> part(double share) const;
};

struct TrainOptions;
/// The batches that a training with these options draws: the requested share of `all`, and of that only the sentences
/// that are short enough. Throws Error if that is impossible.
std::shared_ptr<const BatchSource> training_batches(std::shared_ptr<const BatchSource> all,
                                                    const TrainOptions& options);

/// The random numbers of a batch come from stream batch_streams + step, above the streams that initialise the
/// parameters.
inline constexpr std::uint64_t batch_streams = std::uint64_t{1} << 32;

/// Batches with only those sentences of `all` that have at most `longest` tokens (for a translation, both sentences). A
/// model trained on them can then be tested on longer ones. Returns `all` itself if it has no longer sentences. Throws
/// Error if such sentences are too rare to fill a batch.
std::shared_ptr<const BatchSource> short_sentences(std::shared_ptr<const BatchSource> all, int longest);

}  // namespace glassformer
