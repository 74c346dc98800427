#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/tokenizer_spec.h"

namespace glassformer {

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

}  // namespace glassformer
