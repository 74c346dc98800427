#pragma once

#include <span>

#include "app/views/frame.h"

namespace glassformer::app {

/// What the chosen head computed for one sentence, as views into its trace. Made each frame; nothing is copied.
struct HeadTrace {
    /// A node of the trace and its values.
    struct Values {
        int node = -1;
        std::span<const float> values;
        float range = 0;  ///< the largest |value| over the sentence in this head: the full colour
    };

    int slot = 0;
    int n = 0, heads = 0, d_head = 0;
    int head = 0, query = 0;  ///< chosen head and token
    Values q, k, v, z;        ///< [pos, head, d_head]
    Values scores, pattern;   ///< [head, query, key]

    HeadTrace(const Frame& frame, const Trace& trace, int slot);

    std::int64_t vector_offset(int position) const { return (std::int64_t{position} * heads + head) * d_head; }
    std::int64_t pair_offset(int query_position, int key) const {
        return (std::int64_t{head} * n + query_position) * n + key;
    }
    /// The d_head components at a position.
    std::span<const float> vector(const Values& of, int position) const {
        return of.values.subspan(static_cast<std::size_t>(vector_offset(position)), static_cast<std::size_t>(d_head));
    }
    Cell vector_cell(const Values& of, int position, int component) const {
        return {of.node, vector_offset(position) + component};
    }
    /// A score or a weight, from the chosen token to `key` unless another query is given.
    float pair(const Values& of, int query_position, int key) const {
        return of.values[static_cast<std::size_t>(pair_offset(query_position, key))];
    }
    Cell pair_cell(const Values& of, int query_position, int key) const {
        return {of.node, pair_offset(query_position, key)};
    }
    /// The key with the largest weight in a query's row.
    int strongest(int query_position) const;
};

}  // namespace glassformer::app
