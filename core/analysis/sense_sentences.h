#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace glassformer
