#pragma once

#include <cstdint>
#include <string>

#include "core/graph/graph.h"
#include "core/nn/config.h"

namespace glassformer::nn {

/// A model under construction: what all of its layers share.
struct Assembly {
    Graph& graph;
    const TransformerConfig& config;
    Node state = {};               // {training, step, seed} [3]; made by the first layer that needs it
    std::uint32_t n_dropouts = 0;  // each dropout draws from a stream of its own
};

/// The input {training, step, seed} [3].
Node training_state(Assembly& a);

/// x·W + b with fresh parameters prefix.W_name [d_in, d_out] and, where `bias`, prefix.b_name [d_out].
Node linear(Assembly& a, const std::string& prefix, const std::string& name, Node x, std::int64_t d_out, bool bias);

/// x with random cells set to 0 in training, named `name`; x itself where the model has no dropout.
Node dropout(Assembly& a, const std::string& name, Node x);

}  // namespace glassformer::nn
