#include "core/text/tokenizer_stages.h"

#include "core/text/hf_tokenizer.h"
#include "core/text/lone_bytes.h"
#include "core/text/shown_bytes.h"
#include "core/text/special_tokens.h"

namespace glassformer {

namespace {

TokenizerStages stages_of(const HfTokenizer& tokenizer, std::string_view utf8) {
    TokenizerStages all;
    HfTokenizer::Stages stages = tokenizer.stages(with_own_masks(tokenizer, utf8));
    all.normalized = as_utf8(bytes_of_lone(stages.normalized));
    for (const HfTokenizer::Stages::Piece& piece : stages.pieces) {
        const std::string& text = piece.text.text();
        TokenizerStages::Piece& one = all.pieces.emplace_back();
        one.shown = piece.added ? text : tokenizer.shown_piece(text);
        for (const TokenOfText& token : piece.tokens) one.tokens.push_back(token.id);
        if (!piece.added) one.steps = tokenizer.steps(text);
    }
    for (const TokenOfText& token : stages.tokens) all.ids.push_back(token.id);
    return all;
}

}  // namespace

bool has_stages(const Tokenizer& tokenizer) { return dynamic_cast<const HfTokenizer*>(&tokenizer) != nullptr; }

std::optional<TokenizerStages> tokenizer_stages(const Tokenizer& tokenizer, std::string_view utf8) {
    if (const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer)) return stages_of(*published, utf8);
    return std::nullopt;
}

}  // namespace glassformer
