#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/text/tokenizer.h"

namespace glassformer {

/// A tokenizer made from a text, for the unit "characters", "words" or "byte_pairs". Characters: those of the
/// text; all others are <unk>. Words: the 4,000 most frequent of those that stand at least twice in the text; all
/// others are <unk>. Byte pairs: one merge for every 40 bytes of text, 1,000 at the most. Throws Error naming the unit
/// when there is no such one.
std::shared_ptr<const Tokenizer> tokenizer_from_text(const std::string& unit, std::string_view text);

}  // namespace glassformer
