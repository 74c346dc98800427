#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/hf_tokenizer.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// The id of the token that stands for a hidden word; none where the tokenizer has no such token.
std::optional<int> mask_id(const Tokenizer& tokenizer);

/// The text with every "▢" written as the tokenizer's own mask, "[MASK]" say; as it is where there is none.
std::string with_own_masks(const HfTokenizer& tokenizer, std::string_view text);

/// The text's tokens with every "▢" read as the tokenizer's own mask; their bytes are those of `text`.
std::vector<TokenOfText> encode_with_masks(const HfTokenizer& tokenizer, std::string_view text);
/// The same for any tokenizer: its ids.
std::vector<int> ids_with_masks(const Tokenizer& tokenizer, std::string_view text);

/// A text of which one token was replaced, and what stood there.
struct ReplacedToken {
    std::string text, was;
};

/// Writes something else where a token of the text stands; blanks around it stay. Nothing for a token that stands for
/// nothing in the text (it was added, or is a blank), or that there is not. Throws Error as encode() does.
std::optional<ReplacedToken> replace_token(const HfTokenizer& tokenizer, std::string_view text, int position,
                                           std::string_view with);

/// The id of the token that ends a sentence before a second one, BERT's "[SEP]"; none where a published tokenizer has
/// no such token, or it is one of our own.
std::optional<int> sentence_end_id(const Tokenizer& tokenizer);

/// Two sentences as one text, "the bat . [SEP] it flew", for a model that compares them. Throws Error when the
/// tokenizer, null where there is none, has no token to stand between them.
std::string pair_of(const Tokenizer* tokenizer, std::string_view first, std::string_view second);

/// The way back: the sentences before and after the first "[SEP]" of a text; nothing where it has none.
std::optional<std::pair<std::string, std::string>> split_pair(std::string_view text);

}  // namespace glassformer
