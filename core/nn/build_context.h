#pragma once

#include <cstdint>
#include <string>

#include "core/graph/graph.h"
#include "core/nn/config.h"

namespace glassformer::nn {

/// Keys and values of the words before, for a model that reads one more word at a time.
struct KeyValueCache {
    Node position;     // input [1]: where the new word stands
    Node valid_mask;   // input [1, capacity]: 1 up to that position, 0 after it
    Node window_mask;  // where blocks have a window, input [1, capacity]: 1 for the words in it; else no node
    std::int64_t capacity = 0;
};

/// A model under construction: what all of its layers share.
struct BuildContext {
    Graph& graph;
    const TransformerConfig& config;
    Node state = {};                       // {training, step, seed} [3]; made by the first layer that needs it
    const KeyValueCache* cache = nullptr;  // only where one word at a time is read
    std::uint32_t n_dropouts = 0;          // each dropout draws from a stream of its own
};

/// The input {training, step, seed} [3].
Node training_state(BuildContext& a);

/// x·W + b with fresh parameters prefix.W_name [d_in, d_out] and, where `bias`, prefix.b_name [d_out].
Node linear(BuildContext& a, const std::string& prefix, const std::string& name, Node x, std::int64_t d_out, bool bias);

/// x with random cells set to 0 in training, named `name`; x itself where the model has no dropout.
Node dropout(BuildContext& a, const std::string& name, Node x);

}  // namespace glassformer::nn
