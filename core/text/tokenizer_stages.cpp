#include "core/text/tokenizer_stages.h"

#include "core/text/gpt2_tokenizer.h"
#include "core/text/published_tokenizer.h"
#include "core/text/shown_bytes.h"

namespace glassformer {

namespace {

TokenizerStages stages_of(const PublishedTokenizer& tokenizer, std::string_view utf8) {
    TokenizerStages all;
    PublishedTokenizer::Stages stages = tokenizer.stages(utf8);
    all.normalized = std::move(stages.normalized);
    for (const PublishedTokenizer::Stages::Piece& piece : stages.pieces) {
        const std::string& text = piece.text.text();
        TokenizerStages::Piece& one = all.pieces.emplace_back();
        one.shown = piece.added ? text : tokenizer.shown_piece(text);
        for (const TokenOfText& token : piece.tokens) one.tokens.push_back(token.id);
        if (!piece.added) one.steps = tokenizer.steps(text);
    }
    for (const TokenOfText& token : stages.tokens) all.ids.push_back(token.id);
    return all;
}

TokenizerStages stages_of(const Gpt2Tokenizer& tokenizer, std::string_view utf8) {
    TokenizerStages all;
    all.normalized = utf8;
    for (const Gpt2Tokenizer::Word& word : tokenizer.words(utf8)) {
        TokenizerStages::Piece& one = all.pieces.emplace_back();
        one.shown = shown_bytes(word.text);
        if (word.special)
            one.tokens = {*word.special};
        else
            one.tokens = tokenizer.ids(word.text);
        if (!word.special && word.text.size() <= most_bytes_shown) {
            one.steps.way = PieceSteps::Way::merges;
            one.steps.symbols = tokenizer.byte_tokens(word.text);
            one.steps.merges = tokenizer.encoding_steps(word.text);
        }
        all.ids.insert(all.ids.end(), one.tokens.begin(), one.tokens.end());
    }
    return all;
}

}  // namespace

bool has_stages(const Tokenizer& tokenizer) {
    return dynamic_cast<const PublishedTokenizer*>(&tokenizer) || dynamic_cast<const Gpt2Tokenizer*>(&tokenizer);
}

std::optional<TokenizerStages> tokenizer_stages(const Tokenizer& tokenizer, std::string_view utf8) {
    if (const auto* published = dynamic_cast<const PublishedTokenizer*>(&tokenizer)) return stages_of(*published, utf8);
    if (const auto* gpt2 = dynamic_cast<const Gpt2Tokenizer*>(&tokenizer)) return stages_of(*gpt2, utf8);
    return std::nullopt;
}

}  // namespace glassformer
