#pragma once

#include <functional>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/tokenizer_spec.h"

namespace glassformer {

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
