#pragma once

#include <string>
#include <vector>

#include "core/io/checkpoint.h"

namespace glassformer::app {

/// The token ids of what a person typed. Words and characters that the vocabulary lacks become <unk>, and the person is
/// told, of words with the nearest known ones. Throws Error naming the model's folder and the option to give ids with
/// (`instead`) when there is no tokenizer, and as Tokenizer::ids does.
std::vector<int> ids_of(const std::shared_ptr<const Tokenizer>& tokenizer, const std::string& text,
                        const std::string& folder, const char* instead);

/// The tokens as text; as ids where there is no tokenizer, or where it has no such token or the bytes are no text.
std::string text_of(const std::shared_ptr<const Tokenizer>& tokenizer, const std::vector<int>& tokens);

}  // namespace glassformer::app
