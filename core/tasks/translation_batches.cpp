#include "core/tasks/translation_batches.h"

#include "core/tasks/word_rows.h"
#include "core/worlds/corpus.h"

namespace glassformer {

namespace {

void clear(const BatchShape& shape, Batch& out) {
    const auto rows = static_cast<std::size_t>(shape.batch);
    for (std::vector<float>* values : {&out.tokens, &out.key_mask, &out.targets, &out.loss_weights})
        values->assign(rows * static_cast<std::size_t>(shape.positions), 0.0f);
    for (std::vector<float>* values : {&out.source_tokens, &out.source_key_mask})
        values->assign(rows * static_cast<std::size_t>(shape.source_positions), 0.0f);
}

void put(const TranslationPair& pair, std::size_t row, const BatchShape& shape, Batch& out) {
    const auto positions = static_cast<std::size_t>(shape.positions),
               source_positions = static_cast<std::size_t>(shape.source_positions);
    put_row(pair.source, row, source_positions, out.source_tokens);
    put_ones(pair.source.size(), row, source_positions, out.source_key_mask);
    put_row(pair.input, row, positions, out.tokens);
    put_ones(pair.input.size(), row, positions, out.key_mask);
    put_row(pair.target, row, positions, out.targets);
    put_ones(pair.target.size(), row, positions, out.loss_weights);
}

}  // namespace

WordTokenizer english_tokenizer(const TranslationWorld& world) { return WordTokenizer(world.english()); }

WordTokenizer french_tokenizer(const TranslationWorld& world) {
    std::vector<std::string> words = {bos_word, eos_word};
    words.insert(words.end(), world.french().begin(), world.french().end());
    return WordTokenizer(words);
}

std::vector<TranslationPair> translation_pairs(const TranslationWorld& world, Split split, std::size_t count,
                                               std::uint64_t seed) {
    const WordTokenizer english = english_tokenizer(world), french = french_tokenizer(world);
    std::vector<TranslationPair> pairs;
    for (const TranslatedSentence& sentence : distinct_sentences(world, split, count, seed)) {
        TranslationPair pair{
            word_ids(english, sentence.words), {}, word_ids(french, sentence.french), sentence.alignment};
        pair.input = pair.target;
        pair.input.insert(pair.input.begin(), *french.find(bos_word));
        pair.target.push_back(*french.find(eos_word));
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

Batch batch_of(const std::vector<TranslationPair>& pairs, const BatchShape& shape) {
    Batch batch;
    clear(shape, batch);
    for (std::size_t row = 0; row < pairs.size(); ++row) put(pairs[row], row, shape, batch);
    return batch;
}

void TranslationBatches::draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const {
    Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
    clear(shape(batch), out);
    for (std::size_t row = 0; row < static_cast<std::size_t>(batch); ++row)
        put(corpus_[rng.below(corpus_.size())], row, shape(batch), out);
}

}  // namespace glassformer
