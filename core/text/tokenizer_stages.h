#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/piece_steps.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// What a published tokenizer does with a text, for the screen.
struct TokenizerStages {
    std::string normalized;  ///< the text, changed as the tokenizer wants it
    struct Piece {
        std::string shown;        ///< as a person reads it
        std::vector<int> tokens;  ///< that it became
        PieceSteps steps;
    };
    std::vector<Piece> pieces;
    std::vector<int> ids;  ///< of the whole text, with the special tokens that are added
};

/// Nothing for tokenizers of other kinds than those that are published with models. Throws Error when the text is not
/// UTF-8.
std::optional<TokenizerStages> tokenizer_stages(const Tokenizer& tokenizer, std::string_view utf8);
/// Whether tokenizer_stages() gives something.
bool has_stages(const Tokenizer& tokenizer);

}  // namespace glassformer
