#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/train/batch_source.h"
#include "core/train/task.h"
#include "core/worlds/sequence_world.h"

namespace glassformer {

/// Which next tokens count: all, or only those of the answer.
enum class NextTokens { all, answer };

/// Sentences of a SequenceWorld. The target of each position is the next token. Sentences begin at position 0 and are
/// padded to the longest.
class SequenceBatches final : public BatchSource {
public:
    SequenceBatches(std::shared_ptr<const SequenceWorld> world, NextTokens predicted)
        : world_(std::move(world)), predicted_(predicted) {}

    BatchShape shape(int batch) const override { return {batch, world_->longest_sentence()}; }
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override;

    /// Sentences that training never sees; always the same ones. Only tokens that can be inferred from the earlier ones
    /// have weight: those of the answer. If the sequence is repeated at once, they start at its second token, because
    /// the first cannot be foreseen.
    Batch held_out(int sentences) const;
    const SequenceWorld& world() const { return *world_; }

private:
    void put(const SequenceSentence& sentence, int row, int first_predicted, Batch& out) const;

    std::shared_ptr<const SequenceWorld> world_;
    NextTokens predicted_;
};

/// The shares of predicted tokens that are right, and of sentences in which all of them are.
struct RightShare {
    double tokens = 0.0, sentences = 0.0;
};

/// Compares the argmax of logits [batch, pos, d_vocab] with the batch's targets wherever the loss weight is not 0.
/// Sentences without such a token do not count. Throws Error if there is no such token at all.
RightShare right_share(std::span<const float> logits, int d_vocab, int positions, const Batch& batch);

/// The common part of the tasks on random sequences: words, batches, samples, and a causal decoder of the right size.
/// The task sets names, options and metric.
Task sequence_task(std::shared_ptr<const SequenceBatches> batches);

/// Number of held-out sentences that these tasks measure on.
inline constexpr int held_out_sequences = 256;

/// For each head of pattern [batch, head, query, key], the mean attention weight on the previous token, over all tokens
/// but each sentence's first (a previous-token head scores near 1).
std::vector<double> previous_word_scores(std::span<const float> pattern, int n_heads, int positions,
                                         const Batch& batch);

/// For each head, the mean attention weight on the token after the earlier copy of the current token, over the tokens
/// whose successor is to be predicted and that have an earlier copy (an induction head scores near 1; Olsson et al.
/// 2022). If there are several copies, the latest counts.
std::vector<double> induction_scores(std::span<const float> pattern, int n_heads, int positions, const Batch& batch);

}  // namespace glassformer
