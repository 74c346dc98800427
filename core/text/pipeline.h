#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/tokenizer_spec.h"

namespace glassformer {

/// The replacement table that SentencePiece compiles into its models: a double-array trie over bytes, and the
/// replacement texts of its entries.
class PrecompiledMap {
public:
    /// From "precompiled_charsmap", in base64. Throws Error naming `where` if it is malformed.
    PrecompiledMap(const std::string& base64, const std::string& where);

    /// Replaces each grapheme that the table has, or else each of its characters.
    AlignedText apply(const AlignedText& text) const;

private:
    /// The replacement of the first (shortest) entry that is a prefix of the text; null if there is none.
    const char* find(std::string_view text) const;

    std::vector<std::uint32_t> trie_;
    std::string replacements_;  // each terminated by a zero
};

/// A "Sequence": the stages of its list `name`, one after another; make(spec) makes each. Throws Error if there is no
/// such list.
template <class Stage, class Make>
Stage in_sequence(const TokenizerSpec& spec, const char* name, const Make& make) {
    if (!spec[name].is_array()) spec.fail("{1} has no list \"{2}\"", name);
    std::vector<Stage> stages;
    for (const nlohmann::json& stage : spec[name])
        stages.push_back(make({stage, spec.where() + "[" + std::to_string(stages.size()) + "]"}));
    return [stages](auto value) {
        for (const Stage& stage : stages) value = stage(std::move(value));
        return value;
    };
}

/// What a tokenizer does to text before cutting it. Immutable: shared between threads.
using Normalizer = std::function<AlignedText(const AlignedText&)>;

/// The normalizer of a tokenizer.json: Sequence, NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Strip, Replace,
/// Prepend, BertNormalizer, ByteLevel, Precompiled. Null gives one that changes nothing. Throws Error naming anything
/// unknown or wrong.
Normalizer make_normalizer(const TokenizerSpec& spec);

/// Replaces each byte with the letter that stands for it (core/text/utf8.h).
AlignedText as_byte_letters(const AlignedText& text);

/// Replaces all occurrences of a string, or all matches of a regular expression, in a text.
class Replacement {
public:
    /// Reads {"String": …} or {"Regex": …} from the stage's "pattern".
    explicit Replacement(const TokenizerSpec& spec);

    std::vector<ByteRange> matches(std::string_view text) const { return find_(text); }
    AlignedText replace(const AlignedText& text, const std::string& content) const;

private:
    std::function<std::vector<ByteRange>(std::string_view)> find_;
};

/// Cuts text into pieces; tokens never cross the boundaries of a piece. Immutable: shared between threads.
using PreTokenizer = std::function<std::vector<AlignedText>(std::vector<AlignedText>)>;

/// The pre-tokenizer of a tokenizer.json: Sequence, ByteLevel, BertPreTokenizer, Whitespace, WhitespaceSplit, Split,
/// Digits, Punctuation, Metaspace, CharDelimiterSplit. Null gives one that cuts nothing. Throws Error naming anything
/// unknown or wrong.
PreTokenizer make_pre_tokenizer(const TokenizerSpec& spec);

/// Cuts text into the pieces within which GPT-2 merges bytes: the endings 's 't 're 've 'm 'll 'd; runs of letters, of
/// digits, and of other characters, each with one preceding blank; white space. The pieces together are the whole text,
/// and point into it. Throws Error naming the byte offset if the text is not UTF-8.
std::vector<std::string_view> split_gpt2(std::string_view utf8);

/// A token of a text, and the bytes of the typed text that it stands for; empty for an added special token.
struct TokenOfText {
    int id;
    ByteRange source;
    bool added = false;
    /// Blanks around the token that belong to it too: those that an added token absorbs ("lstrip" of RoBERTa's mask).
    std::size_t blanks_before = 0, blanks_after = 0;
};

/// What a tokenizer does with the finished tokens. Immutable: shared between threads.
using PostProcessor = std::function<std::vector<TokenOfText>(std::vector<TokenOfText>)>;

/// The post-processor of a tokenizer.json for a single text: TemplateProcessing, BertProcessing, RobertaProcessing,
/// ByteLevel, Sequence. `piece_of` returns a token's text as written in the file. Null gives one that changes nothing.
/// Throws Error naming anything unknown or wrong.
PostProcessor make_post_processor(const TokenizerSpec& spec, const std::function<std::string(int)>& piece_of);

/// Turns tokens back into text, like the "decoder" of a tokenizer.json: ByteLevel, WordPiece, Metaspace, ByteFallback,
/// Fuse, Replace, Strip, Sequence, BPEDecoder. Takes the pieces and returns parts of text to be joined.
using Decoder = std::function<std::vector<std::string>(std::vector<std::string>)>;

Decoder make_decoder(const TokenizerSpec& spec);

}  // namespace glassformer
