#pragma once

#include <memory>

#include "core/train/batch_source.h"
#include "core/worlds/sequence_world.h"

namespace glassformer {

/// Which next tokens count: all of them, or those of the answer only.
enum class NextTokens { all, answer };

/// Sentences of a SequenceWorld, each position's target being the token after it. Sentences begin at position 0 and
/// are padded to the longest.
class SequenceBatches final : public BatchSource {
public:
    SequenceBatches(std::shared_ptr<const SequenceWorld> world, NextTokens predicted)
        : world_(std::move(world)), predicted_(predicted) {}

    BatchShape shape(int batch) const override { return {batch, world_->longest_sentence()}; }
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override;

    /// Sentences that training never sees, always the same. Only the tokens that follow from what stands before them
    /// have weight: those of the answer; where the sequence is repeated at once, from its second token on, since the
    /// first cannot be foreseen.
    Batch held_out(int sentences) const;
    const SequenceWorld& world() const { return *world_; }

private:
    void clear(int batch, Batch& out) const;
    void put(const SequenceSentence& sentence, int row, int first_predicted, Batch& out) const;

    std::shared_ptr<const SequenceWorld> world_;
    NextTokens predicted_;
};

}  // namespace glassformer
