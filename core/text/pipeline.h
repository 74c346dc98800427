#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
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

/// Each byte as the letter that stands for it (core/text/utf8.h).
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

/// Cuts text into the pieces within which a tokenizer makes its tokens. Immutable: shared between threads.
using PreTokenizer = std::function<std::vector<AlignedText>(std::vector<AlignedText>)>;

/// The pre-tokenizer of a tokenizer.json: Sequence, ByteLevel, BertPreTokenizer, Whitespace, WhitespaceSplit, Split,
/// Digits, Punctuation, Metaspace, CharDelimiterSplit. Null gives one that cuts nothing. Throws Error naming what is
/// not known or wrong.
PreTokenizer make_pre_tokenizer(const TokenizerSpec& spec);

/// Cuts text into the pieces within which GPT-2 merges bytes: the endings 's 't 're 've 'm 'll 'd; runs of letters, of
/// digits, and of other marks, each with the one blank before it; white space. Nothing is lost: the pieces joined are
/// the text. They point into it. Throws Error naming the byte offset when the text is not UTF-8.
std::vector<std::string_view> split_gpt2(std::string_view utf8);

/// A token of a text, and the bytes of the typed text that it stands for: none where a special token was added.
struct TokenOfText {
    int id;
    ByteRange source;
    bool added = false;
    /// Blanks around the token that stand for it as well: those that an added token takes ("lstrip" of RoBERTa's mask).
    std::size_t blanks_before = 0, blanks_after = 0;
};

/// What a tokenizer does when the tokens are there. Immutable: shared between threads.
using PostProcessor = std::function<std::vector<TokenOfText>(std::vector<TokenOfText>)>;

/// The post-processor of a tokenizer.json for one text: TemplateProcessing, BertProcessing, RobertaProcessing,
/// ByteLevel, Sequence. `piece_of` gives a token's text as the file writes it. Null gives one that changes nothing.
/// Throws Error naming what is not known or wrong.
PostProcessor make_post_processor(const TokenizerSpec& spec, const std::function<std::string(int)>& piece_of);

/// Tokens as text again: the "decoder" of a tokenizer.json: ByteLevel, WordPiece, Metaspace, ByteFallback, Fuse,
/// Replace, Strip, Sequence, BPEDecoder. The pieces in, the pieces of text out, which are joined.
using Decoder = std::function<std::vector<std::string>(std::vector<std::string>)>;

Decoder make_decoder(const TokenizerSpec& spec);

}  // namespace glassformer
