#pragma once

#include <string>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/normalizers.h"
#include "core/text/tokenizer_spec.h"

namespace glassformer {

/// Tokens that stand for their text wherever it is, before anything else is cut.
class AddedTokens {
public:
    struct Token {
        std::string text;
        int id = 0;
        bool special = false, normalized = false, single_word = false, takes_left = false, takes_right = false;
    };

    /// From a tokenizer.json's "added_tokens"; texts of normalized ones are compared with normalized text. Throws Error
    /// naming what is wrong.
    AddedTokens(const TokenizerSpec& spec, const Normalizer& normalizer);

    const std::vector<Token>& all() const { return tokens_; }

    /// A stretch of the text; `token` is −1 where it is none.
    struct Part {
        AlignedText text;
        int token = -1;
    };
    /// The text, normalized, with the added tokens in it.
    std::vector<Part> find(std::string_view typed, const Normalizer& normalizer) const;

private:
    struct Searched {
        std::string text;
        std::size_t token;  // in tokens_
    };
    std::vector<Part> split(const AlignedText& text, const std::vector<std::vector<Searched>>& by_first) const;

    std::vector<Token> tokens_;
    std::vector<std::vector<Searched>> plain_, normalized_;  // by first byte, the longest first
};

}  // namespace glassformer
