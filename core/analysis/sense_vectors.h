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

/// Neighbouring tokens of a sentence.
struct TokenStretch {
    int first = 0, count = 0;
};

/// The tokens that a word of a text became. Nothing where they are not that word alone: the tokenizer does not know
/// it, or joined it with its neighbour; and where the tokenizer is none of those that come with published models.
std::optional<TokenStretch> tokens_of_word(const Tokenizer& tokenizer, std::string_view text, ByteRange word);

/// Where a text has a word of ASCII letters, in whatever case, that stands alone; the first place.
std::optional<ByteRange> find_word(std::string_view text, std::string_view word);

/// A sentence with its truth, as a model from elsewhere reads it.
struct SenseSentence {
    std::string text;
    std::vector<int> ids;  ///< with the special tokens that its tokenizer adds
    TokenStretch homonym;
    int sense = 0;
};

/// `per_sense` sentences of each sense of the world, in their order, as World::corpus() makes them. Left out are those
/// whose homonym the tokenizer gives no tokens of its own, and those of more than `longest` tokens.
std::vector<SenseSentence> sense_sentences(const World& world, Split split, std::size_t per_sense, std::uint64_t seed,
                                           const Tokenizer& tokenizer, int longest);

/// The residual stream at the homonym of each of many sentences, in every layer. Of a homonym of several pieces it is
/// the mean of theirs, as is usual where a word is asked for (Hewitt & Manning 2019).
struct SenseVectors {
    std::size_t d_model = 0;
    std::vector<std::vector<float>> layers;  ///< 0 the embedding, then after each block: [sentence, d_model]

    std::span<const float> at(std::size_t layer, std::size_t sentence) const {
        return std::span(layers[layer]).subspan(sentence * d_model, d_model);
    }
};

/// Runs the sentences, for models of any size: some of one length at a time, and nothing is kept but what is returned.
/// `go_on` hears after each of these runs how many sentences are done; where it says false, nothing is returned.
std::optional<SenseVectors> sense_vectors(Backend& backend, const TransformerConfig& config,
                                          const ParameterView& parameters, std::span<const SenseSentence> sentences,
                                          const std::function<bool(std::size_t done)>& go_on);

}  // namespace glassformer
