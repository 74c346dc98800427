#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// A head's two products of weights (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"): what it
/// looks for, W_Q·W_Kᵀ, and what it hands over, W_V·W_O. Both go from the width of the stream to the width of the
/// stream, through a bottleneck of d_head numbers: so their rank is at most d_head.
struct Circuit {
    int rows = 0, columns = 0;
    std::vector<float> values;     ///< row-major
    std::vector<double> singular;  ///< its singular values that may differ from 0, descending: min(d_head, rows)
    int rank = 0;                  ///< how many of them stand out of the rounding of the weights
};

struct HeadCircuits {
    /// query_key is W_Q · N_q · R_Δ · N_kᵀ · W_Kᵀ. R_Δ turns a query as rotary positions do where its key stands Δ
    /// words before it; N is the linear part of q/k norm (Σ x / d taken away by LayerNorm, times γ). What a model does
    /// not do is the identity.
    Circuit query_key, value_output;
    int bottleneck = 0, value_bottleneck = 0;  ///< d_head, d_value
    bool rotary = false;                       ///< there is R_Δ
    bool qk_norm = false;  ///< there is N: scores are the circuit's, divided by the lengths of query and key
    bool biases = false;   ///< the model adds biases, which are left out
};

/// Of a head whose weights have the names `prefix`W_Q … W_O ("blocks.0.attn."), without the biases. Where several heads
/// share keys and values, those of its group. `distance` is Δ, negative for a key after its query. Throws Error where
/// there are no such weights (see has_circuits()) or no such head.
HeadCircuits head_circuits(const Trace& trace, const std::string& prefix, int head, int distance = 0);

/// Whether attention of that prefix has matrices of its own; softmax(X·Xᵀ)·X has none.
bool has_circuits(const Graph& graph, const std::string& prefix);

/// Which columns of W_Q, W_K and W_V (rows of W_O) a head uses, and in which of the trace's nodes they are.
struct HeadWeights {
    int query = -1, key = -1, value = -1, out = -1;  ///< parameters [d_model, …], W_O [heads · d_value, d_model]
    int head = 0, group = 0;                         ///< the head, and the head of keys and values that it reads
};
/// Throws Error as head_circuits().
HeadWeights head_weights(const Trace& trace, const std::string& prefix, int head);

/// Turns rows of queries [rows, d_head] of this attention as rotary positions do from a key's place to its query's,
/// `distance` words on. Nothing where the model does not.
void turn_queries(const Graph& graph, const std::string& prefix, int distance, std::int64_t width,
                  std::span<float> rows);

}  // namespace glassformer
