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

    /// Merges: the initial tokens, and each merge.
    std::vector<int> symbols;
    std::vector<EncodingStep> merges;

    /// Longest first: the lookups, in order; the id is −1 if there is no such token.
    struct Tried {
        ByteRange range;  ///< of the piece
        std::string text;
        int id;
    };
    std::vector<Tried> tried;

    /// Best path: every token found in the piece, and which of them have the highest sum of scores.
    struct Scored {
        ByteRange range;
        int id;
        double score;
        bool taken = false;
    };
    std::vector<Scored> scored;
};

/// What a published tokenizer does with a text, for display.
struct TokenizerStages {
    std::string normalized;  ///< the text after normalization
    struct Piece {
        std::string shown;        ///< in readable form
        std::vector<int> tokens;  ///< its tokens
        PieceSteps steps;
    };
    std::vector<Piece> pieces;
    std::vector<int> ids;  ///< of the whole text, including added special tokens
};

/// "▢" is the tokenizer's own mask. None for tokenizers that do not come from a published model. Throws Error if the
/// text is not UTF-8.
std::optional<TokenizerStages> tokenizer_stages(const Tokenizer& tokenizer, std::string_view utf8);
/// True if tokenizer_stages() returns a value.
bool has_stages(const Tokenizer& tokenizer);

}  // namespace glassformer
