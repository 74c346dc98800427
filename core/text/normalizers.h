#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/tokenizer_spec.h"

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

/// What a tokenizer does to text before it is cut. Immutable: shared between threads.
using Normalizer = std::function<AlignedText(const AlignedText&)>;

/// The normalizer of a tokenizer.json: Sequence, NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Strip, Replace,
/// Prepend, BertNormalizer, ByteLevel, Precompiled. Null gives one that changes nothing. Throws Error naming what is
/// not known or wrong.
Normalizer make_normalizer(const TokenizerSpec& spec);

/// Each byte as the letter that stands for it (core/text/byte_letters.h).
AlignedText as_byte_letters(const AlignedText& text);

/// All places of a text in a text, replaced; of an expression likewise.
class Replacement {
public:
    /// {"String": …} or {"Regex": …} in the stage's "pattern".
    explicit Replacement(const TokenizerSpec& spec);

    std::vector<ByteRange> matches(std::string_view text) const { return find_(text); }
    AlignedText replace(const AlignedText& text, const std::string& content) const;

private:
    std::function<std::vector<ByteRange>(std::string_view)> find_;
};

}  // namespace glassformer
