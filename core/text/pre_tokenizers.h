#pragma once

#include <functional>
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

}  // namespace glassformer
