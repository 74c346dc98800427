#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/text/tokenizer.h"

namespace glassformer {

/// The id of the token that ends a sentence before a second one, BERT's "[SEP]"; none where a published tokenizer has
/// no such token, or it is one of our own.
std::optional<int> sentence_end_id(const Tokenizer& tokenizer);

/// Two sentences as one text, "the bat . [SEP] it flew", for a model that compares them. Throws Error when the
/// tokenizer, null where there is none, has no token to stand between them.
std::string pair_of(const Tokenizer* tokenizer, std::string_view first, std::string_view second);

/// The way back: the sentences before and after the first "[SEP]" of a text; nothing where it has none.
std::optional<std::pair<std::string, std::string>> split_pair(std::string_view text);

}  // namespace glassformer
