#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/checkpoint.h"

namespace glassformer::app {

/// The token IDs of what the user typed. Words and characters that the vocabulary lacks become <unk>; the user is told,
/// for words with the nearest known ones. Throws Error naming the model's folder and the option for IDs (`instead`) if
/// there is no tokenizer, and as Tokenizer::ids does.
std::vector<int> ids_of(const std::shared_ptr<const Tokenizer>& tokenizer, const std::string& text,
                        const std::string& folder, const char* instead);

/// Warns the user if the tokenizer adds a special token that the text already has in the same place.
void tell_doubled(const Tokenizer& tokenizer, std::string_view text);

/// Sentence A of a picture, with the second sentence if there is one (core/text/sentence_pair.h). `model` is the
/// model's folder or name. Throws Error if that model reads no pairs.
std::optional<std::string> with_pair(const std::string& model, const std::optional<std::string>& text,
                                     const std::optional<std::string>& pair);

/// The tokens as text; as IDs if there is no tokenizer, it has no such token, or the bytes are not UTF-8.
std::string text_of(const std::shared_ptr<const Tokenizer>& tokenizer, const std::vector<int>& tokens);

}  // namespace glassformer::app
