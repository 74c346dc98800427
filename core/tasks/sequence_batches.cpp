#include "core/tasks/sequence_batches.h"

#include "core/base/rng.h"
#include "core/tasks/held_out.h"
#include "core/tasks/word_rows.h"

namespace glassformer {

void SequenceBatches::clear(int batch, Batch& out) const {
    clear_rows(static_cast<std::size_t>(batch), static_cast<std::size_t>(world_->longest_sentence()), out);
}

void SequenceBatches::put(const SequenceSentence& sentence, int row, int first_predicted, Batch& out) const {
    const auto begin = static_cast<std::size_t>(row) * static_cast<std::size_t>(world_->longest_sentence());
    const std::span<const int> ids = sentence.ids();
    for (std::size_t p = 0; p < ids.size(); ++p) {
        out.tokens[begin + p] = static_cast<float>(ids[p]);
        out.key_mask[begin + p] = 1.0f;
        if (p + 1 == ids.size()) break;
        out.targets[begin + p] = static_cast<float>(ids[p + 1]);
        out.loss_weights[begin + p] = static_cast<int>(p) + 1 >= first_predicted ? 1.0f : 0.0f;
    }
}

void SequenceBatches::draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const {
    Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
    clear(batch, out);
    for (int row = 0; row < batch; ++row) {
        const SequenceSentence sentence = world_->generate(Split::train, rng);
        put(sentence, row, predicted_ == NextTokens::all ? 0 : sentence.answer, out);
    }
}

Batch SequenceBatches::held_out(int sentences) const {
    Rng rng(held_out_seed, held_out_stream);
    Batch batch;
    clear(sentences, batch);
    for (int row = 0; row < sentences; ++row) {
        const SequenceSentence sentence = world_->generate(Split::held_out, rng);
        const int unforeseen = world_->rule() == SequenceRule::repeated ? 1 : 0;
        put(sentence, row, sentence.answer + unforeseen, batch);
    }
    return batch;
}

}  // namespace glassformer
