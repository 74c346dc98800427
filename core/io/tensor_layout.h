#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/model_tensors.h"
#include "core/io/safetensors.h"

namespace glassformer {

/// One tensor of a file, and the parameters of a graph that lie in it.
struct StoredTensor {
    std::string name;
    /// Parameters side by side (by columns).
    std::vector<std::string> parts;
    /// The file holds the parts' columns as rows.
    bool transposed = false;
    /// Says again what another tensor of the layout says: never written; may be in a file and must then be the same, or
    /// stand there in its place.
    bool repeated = false;
    /// The parts lie head by head, so many heads: the first head of every part, the second of every part, … (GPT-NeoX).
    int heads = 0;
    /// What the model uses is this much more than what is stored (1 for Gemma's norms).
    float added = 0.0f;
    /// Rows at the start that the model never uses (RoBERTa's positions).
    int unused_rows = 0;
};

/// Which tensors hold a model's parameters.
using TensorLayout = std::vector<StoredTensor>;

/// Every parameter in a tensor of its own, under its own name: embed.W_E, blocks.0.attn.W_Q, …
TensorLayout own_layout(const Graph& graph);

/// The parameters (in the graph's flat order) as tensors.
Safetensors store(const Graph& graph, const TensorLayout& layout, std::span<const float> parameters);

/// The layout's name for a tensor of a file; empty for one to be ignored.
using TensorNaming = std::function<std::string(const std::string& in_file)>;

/// The way back, one tensor at a time: matrices as the files hold them (those of F32 where they are large), the rest as
/// floats. Throws Error naming the file and, in one message, every tensor that is missing,
/// has another shape than the graph's, is there twice, or is not the model's; or the cell that is not a finite number.
Parameters restore(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors,
                   const TensorNaming& naming);

/// The layout by the names that the files give their tensors, without what is repeated. Throws as restore() does.
TensorLayout layout_by_file(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors,
                            const TensorNaming& naming);

}  // namespace glassformer
