#pragma once

#include <memory>
#include <vector>

#include "core/nn/config.h"
#include "core/text/word_tokenizer.h"
#include "core/train/masked_words.h"
#include "core/worlds/world.h"

namespace glassformer {

/// What a world says about training on it: its words, the sizes of its model, its corpus.
struct WorldTraining {
    World world;
    WordTokenizer tokenizer;
    TransformerConfig config;

    static constexpr std::size_t sentences_per_sense = 300;
    static constexpr std::uint64_t corpus_seed = 1;  // the language is one; only the model varies with --seed

    explicit WorldTraining(World from);

    /// Masked-word prediction over a corpus of the world.
    std::shared_ptr<const MaskedWords> masked_words(Split split = Split::train) const;
    /// Ids of a sentence of this world.
    std::vector<int> encode(const Sentence& sentence) const;
};

}  // namespace glassformer
