#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/parameters.h"
#include "core/graph/plan.h"

namespace glassformer {

/// Cells of a node whose computed values are replaced: an ablated head, a patched activation. `values` has one value
/// for each cell of the ranges, in order.
struct Intervention {
    struct Range {
        std::int64_t offset = 0, count = 0;  // row-major, including the batch axis
    };
    int node = -1;
    std::vector<Range> ranges;
    std::vector<float> values;
};

/// Throws Error if the cells are not in the intervention's node, or `values` does not have one value per cell.
void require_cells(const Graph& graph, const Intervention& intervention);
/// Throws Error if the intervention's node is not an op that runs in this plan, or as require_cells() does.
void check_intervention(const Graph& graph, const Plan& plan, const Intervention& i);

/// One planned run of a graph on one device: inputs in, values and gradients out. Not thread-safe; owned by one worker.
/// forward() and backward() allocate nothing.
class Execution {
public:
    virtual ~Execution() = default;

    virtual const Graph& graph() const = 0;
    /// Copies an input's values. Throws Error if the count is wrong.
    virtual void set_input(int id, std::span<const float> values) = 0;
    /// An input's own memory, for changing a part of it. What is not written stays from the last set_input(), except
    /// what an op updates (Op::updates_first_input).
    virtual std::span<float> input_values(int id) = 0;
    /// Overwrites these cells in every forward() from now on, as soon as their node is computed. Replaces all earlier
    /// interventions. No gradient flows through them to what the model computed there. Throws Error if a node is not an
    /// op that this execution runs, or the cells are not in it.
    virtual void intervene(std::vector<Intervention> interventions) = 0;
    /// Runs forward with these parameters (all of them, in the graph's flat order). They must not change until
    /// backward() has returned. A device may take matrices in the format of their file; the numbers are the same.
    virtual void forward(const ParameterView& parameters) = 0;
    /// Call this after forward(): writes d loss / d parameter for every parameter into `gradients` (flat, overwritten).
    /// To give the same bytes every time, it must be cache-line aligned (AlignedFloats). If the plan asks for gradients
    /// of nodes, `gradients` is empty.
    virtual void backward(std::span<float> gradients) = 0;
    /// The same in parts, for callers that must not block for the whole pass: one op per call; `first` starts the pass.
    /// Returns true if there is more to do; until it returns false, call nothing else. A device without parts does
    /// everything at once.
    virtual bool forward_part(const ParameterView& parameters, bool first) {
        if (first) forward(parameters);
        return false;
    }
    virtual bool backward_part(std::span<float> gradients, bool first) {
        if (first) backward(gradients);
        return false;
    }
    /// Copies the values of a kept node (or of a view).
    virtual void read(int id, std::span<float> values) const = 0;
    /// The values of a kept node (or an input) in place, valid until the next forward(); empty if the node was not
    /// kept.
    virtual std::span<const float> view(int id) const = 0;
    /// After backward(): d loss / d node in place, for a node that the plan asked for (PlanRequest::gradients). Empty
    /// if no path leads from it to the loss, and on devices without node gradients.
    virtual std::span<const float> gradient(int /*id*/) const { return {}; }
    /// The loss of the last forward().
    virtual float loss() const = 0;
    /// True if every number of the last forward() was finite, apart from the −∞ of hidden cells. Always true if the
    /// plan does not set `watch`, or the device cannot tell.
    virtual bool finite() const { return true; }
    /// Bytes allocated for values and gradients.
    virtual std::int64_t arena_bytes() const = 0;
};

/// A device that can run graphs.
class Backend {
public:
    virtual ~Backend() = default;

    /// For the chip in the top bar: "CPU · AVX2 · 2 threads".
    virtual std::string description() const = 0;
    virtual std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) = 0;
};

}  // namespace glassformer
