#include "core/tasks/world_training.h"

#include "core/base/error.h"

namespace glassformer {

namespace {

TransformerConfig config_for(const World& world, const WordTokenizer& tokenizer) {
    TransformerConfig config;
    config.d_vocab = tokenizer.size();
    config.n_ctx = world.longest_sentence();
    return config;
}

}  // namespace

WorldTraining::WorldTraining(World from)
    : world(std::move(from)), tokenizer(world.vocabulary()), config(config_for(world, tokenizer)) {}

std::vector<int> WorldTraining::encode(const Sentence& sentence) const {
    std::vector<int> ids;
    for (const std::string& word : sentence.words) {
        const std::optional<int> id = tokenizer.find(word);
        if (!id) throw Error("the word \"" + word + "\" is not in the vocabulary of world " + world.name());
        ids.push_back(*id);
    }
    return ids;
}

std::shared_ptr<const MaskedWords> WorldTraining::masked_words(Split split) const {
    std::vector<std::vector<int>> corpus;
    for (const Sentence& sentence : world.corpus(split, sentences_per_sense, corpus_seed))
        corpus.push_back(encode(sentence));
    return std::make_shared<MaskedWords>(std::move(corpus), config.n_ctx);
}

}  // namespace glassformer
