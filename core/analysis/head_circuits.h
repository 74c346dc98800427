#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// A product of two of a head's weight matrices (Elhage et al. 2021, "A Mathematical Framework for Transformer
/// Circuits"): what it looks for, W_Q·W_Kᵀ, or what it passes on, W_V·W_O. Both map the stream to itself through a
/// bottleneck of d_head dimensions, so their rank is at most d_head.
struct Circuit {
    int rows = 0, columns = 0;
    std::vector<float> values;     ///< row-major
    std::vector<double> singular;  ///< the singular values that may be nonzero, descending: min(d_head, rows)
    int rank = 0;                  ///< number of singular values above the rounding of the weights
};

struct HeadCircuits {
    /// query_key is W_Q · N_q · R_Δ · N_kᵀ · W_Kᵀ. R_Δ is the rotation that rotary positions give a query whose key is
    /// Δ words earlier. N is the linear part of q/k norm (for LayerNorm subtract Σ x / d, then multiply by γ). Whatever
    /// the model lacks is the identity.
    Circuit query_key, value_output;
    int bottleneck = 0, value_bottleneck = 0;  ///< d_head, d_value
    bool rotary = false;                       ///< R_Δ is present
    bool qk_norm = false;  ///< N is present: the scores are the circuit's, divided by the lengths of query and key
    bool biases = false;   ///< the model has biases, which are left out
};

/// Returns the circuits, without biases, of a head whose weights are named `prefix`W_Q … W_O ("blocks.0.attn."). If
/// heads share keys and values, uses those of the head's group. `distance` is Δ, negative for a key after its query.
/// Throws Error if there are no such weights (see has_circuits()) or no such head.
HeadCircuits head_circuits(const Trace& trace, const std::string& prefix, int head, int distance = 0);

/// True if the attention with this prefix has weight matrices; softmax(X·Xᵀ)·X has none.
bool has_circuits(const Graph& graph, const std::string& prefix);

/// The columns of W_Q, W_K and W_V (rows of W_O) that a head uses, and the trace nodes that hold them.
struct HeadWeights {
    int query = -1, key = -1, value = -1, out = -1;  ///< parameters [d_model, …], W_O [heads · d_value, d_model]
    int head = 0, group = 0;                         ///< the head, and the key-value head that it reads
};
/// Throws Error like head_circuits().
HeadWeights head_weights(const Trace& trace, const std::string& prefix, int head);

/// Rotates rows of queries [rows, d_head] of this attention, as rotary positions do for a query `distance` words after
/// its key. Does nothing without rotary positions.
void turn_queries(const Graph& graph, const std::string& prefix, int distance, std::int64_t width,
                  std::span<float> rows);

}  // namespace glassformer
