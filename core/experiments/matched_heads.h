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

    /// The index of a head; −1 if there is none.
    int find(int block, int head) const;
};
/// The patterns of self-attention; no heads if a model has none.
HeadPatterns head_patterns(const Trace& trace);

/// The distance between two patterns, from 0 (equal) to 1 (no query looks at any key that it looks at in the other):
/// the mean over the queries of the total variation distance of their rows, ½ Σₖ |aₖ − bₖ|. Also 1 if a weight is NaN,
/// when that model's training has diverged. Throws Error if the sizes differ.
double pattern_distance(std::span<const float> a, std::span<const float> b, int queries);

/// The head of another model that does what a given head does.
struct MatchedHead {
    int index = -1;         // into the other's HeadPatterns::heads
    double distance = 0.0;  // pattern_distance()
    bool shared = false;    // the other has fewer heads: this is the nearest one, also some other head's partner
};
/// Matches each head of `a` to a partner in `b`, one to one, minimising the sum of distances (Kuhn 1955, the Hungarian
/// method). A head's number depends on the random seed, so only what it does can be compared. Throws Error if the
/// patterns differ in size. Empty if either model has no heads.
std::vector<MatchedHead> match_heads(const HeadPatterns& a, const HeadPatterns& b);

/// Assigns a different column to each row of a matrix [rows, columns] of costs, rows ≤ columns, minimising the sum.
/// Throws Error if a cost is not finite.
std::vector<int> cheapest_assignment(std::span<const double> costs, int rows, int columns);

}  // namespace glassformer
