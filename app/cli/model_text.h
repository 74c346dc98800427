#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/checkpoint.h"

namespace glassformer::app {

/// The token ids of what a person typed. Words and characters that the vocabulary lacks become <unk>, and the person is
/// told, of words with the nearest known ones. Throws Error naming the model's folder and the option to give ids with
/// (`instead`) when there is no tokenizer, and as Tokenizer::ids does.
std::vector<int> ids_of(const std::shared_ptr<const Tokenizer>& tokenizer, const std::string& text,
                        const std::string& folder, const char* instead);

/// Tells the person of a special token that the tokenizer adds and that the text has in the same place.
void tell_doubled(const Tokenizer& tokenizer, std::string_view text);

/// Sentence A of a picture with a second sentence, where there is one (core/text/sentence_pair.h). `model` is the
/// model's folder or name. Throws Error where that model reads no pairs.
std::optional<std::string> with_pair(const std::string& model, const std::optional<std::string>& text,
                                     const std::optional<std::string>& pair);

/// The tokens as text; as ids where there is no tokenizer, or where it has no such token or the bytes are no text.
std::string text_of(const std::shared_ptr<const Tokenizer>& tokenizer, const std::vector<int>& tokens);

}  // namespace glassformer::app
