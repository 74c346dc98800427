#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/merge_table.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// How one piece of text became tokens, step by step.
struct PieceSteps {
    enum class Way { whole, merges, longest_first, best_path };
    Way way = Way::whole;

    /// Merges: the tokens that it began as, and each merge.
    std::vector<int> symbols;
    std::vector<EncodingStep> merges;

    /// Longest first: what was looked up, in that order; an unknown token has id −1.
    struct Tried {
        ByteRange range;  ///< of the piece
        std::string text;
        int id;
    };
    std::vector<Tried> tried;

    /// Best path: every token that stands somewhere in the piece, and which of them have the highest sum of scores.
    struct Scored {
        ByteRange range;
        int id;
        double score;
        bool taken = false;
    };
    std::vector<Scored> scored;
};

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
