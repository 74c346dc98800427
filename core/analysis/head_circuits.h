#pragma once

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
    Circuit query_key, value_output;
    int bottleneck = 0, value_bottleneck = 0;  ///< d_head, d_value
    /// What the head does that the products of its weights leave out: it turns queries and keys by their positions, so
    /// that W_Q·W_Kᵀ is their match at distance 0; it normalizes each query and key; it adds biases.
    bool rotary = false, qk_norm = false, biases = false;
};

/// Of a head whose weights have the names `prefix`W_Q … W_O ("blocks.0.attn."), without the biases. Where several heads
/// share keys and values, those of its group. Throws Error where there are no such weights (see has_circuits()) or no
/// such head.
HeadCircuits head_circuits(const Trace& trace, const std::string& prefix, int head);

/// Whether attention of that prefix has matrices of its own; softmax(X·Xᵀ)·X has none.
bool has_circuits(const Trace& trace, const std::string& prefix);

}  // namespace glassformer
