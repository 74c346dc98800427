#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/backend/backend.h"
#include "core/nn/transformer.h"

namespace glassformer {

/// One batch: the values of the model's inputs, each row-major in the shape that TransformerGraph gives; sentences are
/// padded to the same length. Those that a model does not have stay empty.
struct Batch {
    std::vector<float> tokens, values, key_mask, source_tokens, source_key_mask, targets, target_values, loss_weights;
};

/// Gives the batch to a run of the model: every input that the model has. Throws Error where a size is wrong.
void set_inputs(Execution& run, const TransformerGraph& model, const Batch& batch);
/// The same for update number `step` (from 1) of a training, of which dropout and batch normalization must know.
void set_training_inputs(Execution& run, const TransformerGraph& model, const Batch& batch, std::uint64_t seed,
                         std::int64_t step);
/// Words of a batch, padding left out; those of source sentences count too, and what is to be predicted where no mask
/// tells.
std::int64_t words_of(const Batch& batch);

/// Where a Trainer's batches come from.
class BatchSource {
public:
    virtual ~BatchSource() = default;

    /// Lengths of the sentences, padding included; the batch is the trainer's to choose.
    virtual BatchShape shape(int batch) const = 0;
    /// The batch of update number `step` (from 1): a function of the arguments alone. Fills `out` in place, and
    /// allocates nothing when `out` was filled at this size before.
    virtual void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const = 0;
    /// Fills the one batch, of `most` sentences or fewer, that held-out loss is measured on; returns how many. By
    /// default it is the draw of step 0, which no training makes: its steps count from 1.
    virtual int eval_batch(int most, Batch& out) const {
        draw(1, 0, most, out);
        return most;
    }

    /// From how many sentences it draws (of a text: tokens); 0: it makes each one anew.
    virtual std::int64_t size() const { return 0; }
    /// The same from a part of them: always the same ones, at least one; those of a smaller share are among those of a
    /// larger one. Of a text its beginning. Throws Error where each one is made anew.
    virtual std::shared_ptr<const BatchSource> part(double share) const;
};

struct TrainOptions;
/// What a training with these options draws from: of `all` the share that it has, and of that the sentences that are
/// short enough. Throws Error where that cannot be.
std::shared_ptr<const BatchSource> training_batches(std::shared_ptr<const BatchSource> all,
                                                    const TrainOptions& options);

/// Random numbers of a batch come from stream batch_streams + step, above those of the parameters' first values.
inline constexpr std::uint64_t batch_streams = std::uint64_t{1} << 32;

/// Of the batches of `all` only the sentences of at most `longest` tokens (both sentences, of a translation): what a
/// model learns from that is to read longer ones later. Where `all` has none that are longer, its own batches come out.
/// Throws Error where such sentences are too rare to fill a batch.
std::shared_ptr<const BatchSource> short_sentences(std::shared_ptr<const BatchSource> all, int longest);

}  // namespace glassformer
