#pragma once

#include <span>
#include <string>

#include "core/backend/backend.h"
#include "core/train/batch_source.h"

namespace glassformer {

/// Where the first number that is not finite appeared in a step of training.
struct Diagnosis {
    enum class Where {
        nowhere,    // every number is finite
        parameter,  // a weight was not finite before the step
        forward,    // an op's output
        backward,   // a parameter's gradient: the first that the backward pass came to
        norm        // every gradient is finite, but their squares are too large to be added up
    };
    Where where = Where::nowhere;
    std::int64_t step = 0;   // the update that was not made
    int node = -1;           // graph node of the op (forward: that made the value; backward: that read the parameter)
    std::string op;          // "linear"; empty where there is none
    std::string node_name;   // "blocks.0.mlp.hook_pre"
    std::string parameter;   // the op's own parameter, or the nearest one before it; empty where there is none
    std::int64_t cell = -1;  // row-major, of the node's value, the parameter, or the parameter's gradient
    float value = 0.0f;      // NaN, inf or −inf; of `norm`, the largest gradient
    std::string cell_text;   // "[3, 2, 17]"

    /// In words: "the first such value is inf in blocks.0.mlp.hook_pre [3, 2, 17] (linear, with blocks.0.mlp.W_in)".
    std::string text() const;
};

/// Runs update number `step` again up to its gradients, with every value kept, and finds the first that is not finite:
/// the first op in graph order on the way to the loss, else the first parameter that the backward pass gave such a
/// gradient. −∞ that a mask writes is as it should be. Slow; allocates.
Diagnosis diagnose(Backend& backend, const TransformerGraph& model, std::span<const float> parameters,
                   const Batch& batch, std::uint64_t seed, std::int64_t step);

}  // namespace glassformer
