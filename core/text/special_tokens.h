#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/hf_tokenizer.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// The id of the mask token; none if the tokenizer has none.
std::optional<int> mask_id(const Tokenizer& tokenizer);

/// Replaces every "▢" in the text with the tokenizer's own mask, such as "[MASK]"; unchanged if it has none.
std::string with_own_masks(const HfTokenizer& tokenizer, std::string_view text);

/// The text's tokens, with every "▢" read as the tokenizer's own mask; their byte ranges refer to `text`.
std::vector<TokenOfText> encode_with_masks(const HfTokenizer& tokenizer, std::string_view text);
/// The ids of the text, with masks read in the same way; for any tokenizer.
std::vector<int> ids_with_masks(const Tokenizer& tokenizer, std::string_view text);

/// The token that a text is by itself, without those that the tokenizer adds to every text; masks as above. None if the
/// text is no token, several, or an unknown one.
std::optional<int> only_token(const Tokenizer& tokenizer, std::string_view text);

/// A text in which one token was replaced, and what it replaced.
struct ReplacedToken {
    std::string text, was;
};

/// Replaces the part of the text that a token stands for; blanks around it stay. None if the token stands for nothing
/// in the text (it was added, or is a blank), or does not exist. Throws Error like encode().
std::optional<ReplacedToken> replace_token(const HfTokenizer& tokenizer, std::string_view text, int position,
                                           std::string_view with);

/// The id of the token that ends a sentence before a second one, BERT's "[SEP]"; none if a published tokenizer has no
/// such token, or for a tokenizer of our own.
std::optional<int> sentence_end_id(const Tokenizer& tokenizer);

/// Two sentences as one text, "the bat . [SEP] it flew", for a model that compares them. Throws Error if the tokenizer
/// (null if there is none) has no separator token.
std::string pair_of(const Tokenizer* tokenizer, std::string_view first, std::string_view second);

/// The inverse: the sentences before and after the first "[SEP]" of a text; none if there is none.
std::optional<std::pair<std::string, std::string>> split_pair(std::string_view text);

}  // namespace glassformer
