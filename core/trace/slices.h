#pragma once

#include <cstdint>

#include "core/graph/graph.h"

namespace glassformer {

/// The parts of a node that can be looked at on their own lie along its first axis after the batch: rows of positions,
/// heads of scores, rows of a parameter. A slice is some of them, side by side in memory.
struct Slices {
    std::int64_t first = 0, count = 0;
    bool operator==(const Slices&) const = default;
};

/// How many slices a node has, and the cells of each; a scalar has one.
struct SliceAxis {
    std::int64_t count = 1, width = 1;
    SliceAxis(const Graph& graph, int node);

    Slices all() const { return {0, count}; }
    /// The smallest slice that holds these cells.
    Slices around(std::int64_t offset, std::int64_t cells = 1) const {
        return {offset / width, (offset + cells - 1) / width - offset / width + 1};
    }
};

}  // namespace glassformer
