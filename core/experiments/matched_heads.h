#pragma once

#include <span>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// The attention patterns of a model over one sentence, each row-major [query, key].
struct HeadPatterns {
    struct Head {
        int block = 0, head = 0;
        std::vector<float> weights;
    };
    int queries = 0, keys = 0;
    std::vector<Head> heads;  // by block, then by head

    /// Index of a head; −1: there is none.
    int find(int block, int head) const;
};
/// Those of self-attention; no heads where a model has none.
HeadPatterns head_patterns(const Trace& trace);

/// How far two patterns are from each other, 0 (the same) to 1 (no query looks at any key that it looks at in the
/// other): the mean over the queries of the total variation distance of their rows, ½ Σₖ |aₖ − bₖ|. 1 too where a weight is
/// no number: that model's training has broken. Throws Error where the sizes differ.
double pattern_distance(std::span<const float> a, std::span<const float> b, int queries);

/// The head of another model that does what one head does.
struct MatchedHead {
    int index = -1;         // in the other's HeadPatterns::heads
    double distance = 0.0;  // pattern_distance()
    bool shared = false;    // the other has fewer heads: this is the nearest, which is another head's partner too
};
/// For each head of `a` its partner in `b`: one to one, so that the sum of all distances is as small as it can be
/// (Kuhn 1955, the Hungarian method). Which number a head has is luck of the seed: only what it does can be compared.
/// Throws Error where the patterns are of other sizes. Empty where one has no heads.
std::vector<MatchedHead> match_heads(const HeadPatterns& a, const HeadPatterns& b);

/// For each row of a matrix [rows, columns] of costs, rows ≤ columns, a column of its own, so that the sum is least.
/// Throws Error where a cost is not finite.
std::vector<int> cheapest_assignment(std::span<const double> costs, int rows, int columns);

}  // namespace glassformer
