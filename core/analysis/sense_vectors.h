#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"
#include "core/nn/config.h"
#include "core/text/aligned_text.h"
#include "core/text/tokenizer.h"
#include "core/worlds/world.h"

namespace glassformer {

/// Consecutive tokens of a sentence.
struct TokenStretch {
    int first = 0, count = 0;
};

/// The tokens of one word of a text. None if no tokens cover exactly that word (the tokenizer does not know it, or
/// merged it with its neighbour), or if the tokenizer did not come with a published model.
std::optional<TokenStretch> tokens_of_word(const Tokenizer& tokenizer, std::string_view text, ByteRange word);

/// The first occurrence of a word of ASCII letters that stands alone in a text, ignoring case.
std::optional<ByteRange> find_word(std::string_view text, std::string_view word);

/// A labelled sentence as a model from outside reads it.
struct SenseSentence {
    std::string text;
    std::vector<int> ids;  ///< including the special tokens that its tokenizer adds
    TokenStretch homonym;
    int sense = 0;
};

/// `per_sense` sentences of each sense of the world, in the order of World::corpus(). Skips sentences whose homonym
/// gets no tokens of its own, and those longer than `longest` tokens.
std::vector<SenseSentence> sense_sentences(const World& world, Split split, std::size_t per_sense, std::uint64_t seed,
                                           const Tokenizer& tokenizer, int longest);

/// The residual stream at the homonym of each sentence, in every layer. For a homonym of several tokens it is their
/// mean, as is usual for word-level probes (Hewitt & Manning 2019).
struct SenseVectors {
    std::size_t d_model = 0;
    std::vector<std::vector<float>> layers;  ///< 0 is the embedding, then after each block: [sentence, d_model]

    std::span<const float> at(std::size_t layer, std::size_t sentence) const {
        return std::span(layers[layer]).subspan(sentence * d_model, d_model);
    }
};

/// Runs the sentences, for models of any size: batches of equal length, keeping only what is returned. Calls `go_on`
/// after each batch with the number of sentences done; if it returns false, the result is empty.
std::optional<SenseVectors> sense_vectors(Backend& backend, const TransformerConfig& config,
                                          const ParameterView& parameters, std::span<const SenseSentence> sentences,
                                          const std::function<bool(std::size_t done)>& go_on);

}  // namespace glassformer
