#pragma once

#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/merge_table.h"

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

}  // namespace glassformer
