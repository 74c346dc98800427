#pragma once

#include <span>
#include <vector>

#include "app/common/frame.h"

namespace glassformer::app {

/// What the chosen head computed for one sentence, as views into its trace. Built each frame; copies nothing. The block
/// must have attention (see has_attention()).
struct HeadTrace {
    /// A head of the encoder, and the query in the source sentence.
    struct OfSource {
        int layer = 0, head = 0, query = 0;
    };
    /// A node of the trace and its values; of scores and weights, only the chosen head's.
    struct Values {
        int node = -1;
        SliceView values;
        int width = 0;    ///< of a vector
        float range = 0;  ///< largest |value| over the sentence in this head: the full colour
    };

    int slot = 0;
    int n = 0, keys = 0;  ///< number of queries and of keys; they differ in attention to the source
    bool cross = false;   ///< attention to the source sentence
    bool source = false;  ///< the queries are words of the source sentence, too
    int heads = 0;
    int layer = 0, head = 0, query = 0;  ///< chosen block, head and token
    Values q, k, v, z;                   ///< [pos, head, d_head or d_value]
    Values scores, pattern;              ///< [head, query, key]

    HeadTrace(const Frame& frame, const Trace& trace, int slot, const OfSource* of_source = nullptr);

    /// Width of a vector: d_head, or d_value for values.
    int width(const Values& of) const { return of.width; }
    std::int64_t vector_offset(const Values& of, int position) const {
        return (std::int64_t{position} * heads + head) * of.width;
    }
    std::int64_t pair_offset(int query_position, int key) const {
        return (std::int64_t{head} * n + query_position) * keys + key;
    }
    /// The components at a position.
    std::span<const float> vector(const Values& of, int position) const {
        return of.values.cells(vector_offset(of, position), of.width);
    }
    Cell vector_cell(const Values& of, int position, int component) const {
        return {of.node, vector_offset(of, position) + component};
    }
    /// The word at a key.
    std::string key_word(const Frame& frame, int key) const {
        return cross || source ? frame.source_word(slot, key) : frame.word(slot, key);
    }
    /// The word at the chosen query.
    std::string query_word(const Frame& frame) const {
        return source ? frame.source_word(slot, query) : frame.word(slot, query);
    }
    /// The name of a query. When a translation is written, a row reads one word and chooses the next: "chat → writes
    /// noir".
    std::string query_name(const Frame& frame, int query_position) const;
    /// True if the mask hides this key from a query: its score is −∞.
    bool hidden(int query_position, int key) const;
    std::vector<bool> hidden_keys(int query_position) const;  ///< by key
    /// A score or a weight, from a query to a key.
    float pair(const Values& of, int query_position, int key) const {
        return of.values.at(pair_offset(query_position, key));
    }
    Cell pair_cell(const Values& of, int query_position, int key) const {
        return {of.node, pair_offset(query_position, key)};
    }
    /// The key with the largest weight in a query's row.
    int strongest(int query_position) const;
};

}  // namespace glassformer::app
