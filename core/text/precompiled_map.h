#pragma once

#include <string>
#include <vector>

#include "core/text/aligned_text.h"

namespace glassformer {

/// The table of replacements that SentencePiece compiles into its models: a double-array trie over bytes, and the texts
/// that its entries become.
class PrecompiledMap {
public:
    /// From "precompiled_charsmap", base64. Throws Error naming `where` when it is broken.
    PrecompiledMap(const std::string& base64, const std::string& where);

    /// Each grapheme, or else each character, that the table has, replaced.
    AlignedText apply(const AlignedText& text) const;

private:
    /// The replacement of the first entry that the text begins with, the shortest; null where there is none.
    const char* find(std::string_view text) const;

    std::vector<std::uint32_t> trie_;
    std::string replacements_;  // each ended by a zero
};

}  // namespace glassformer
