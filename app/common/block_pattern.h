#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/common/frame.h"

namespace glassformer::app {

/// The attention patterns of one block in one sentence, as a view into its trace. Built each frame; copies nothing.
struct BlockPattern {
    int slot = 0, layer = 0;
    int node = -1;
    int heads = 0, queries = 0, keys = 0;
    bool cross = false;   ///< the keys are the words of the source sentence
    bool causal = false;  ///< a query cannot see the keys after it
    SliceView weights;    ///< [head, query, key] of the requested heads

    std::int64_t offset(int head, int query, int key) const {
        return (std::int64_t{head} * queries + query) * keys + key;
    }
    float weight(int head, int query, int key) const { return weights.at(offset(head, query, key)); }
    Cell cell(int head, int query, int key) const { return {node, offset(head, query, key)}; }
    /// [query, key] of one head.
    std::span<const float> head(int index) const {
        return weights.cells(offset(index, 0, 0), std::int64_t{queries} * keys);
    }
    bool hidden(int query, int key) const { return causal && key > query; }
};

/// Empty if the block has no such attention. `cross` selects a decoder's attention to its source sentence. A trace
/// computes a head's pattern on demand, so pass only the `heads` that are read; if omitted, all are.
std::optional<BlockPattern> block_pattern(const Trace& trace, int slot, int layer, bool cross = false,
                                          std::optional<Slices> heads = std::nullopt);
/// True if this model's blocks have attention.
bool has_attention(const Frame& frame);
/// The word at a key: of the sentence, or of its source.
std::string key_word(const Frame& frame, const BlockPattern& pattern, int key);

}  // namespace glassformer::app
