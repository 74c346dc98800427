#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/parameters.h"
#include "core/graph/plan.h"

namespace glassformer {

/// Cells of a node that hold other values than the model computed: an ablated head, a patched activation. `values` has
/// one value for each cell of the ranges, in their order.
struct Intervention {
    struct Range {
        std::int64_t offset = 0, count = 0;  // row-major, with the batch axis
    };
    int node = -1;
    std::vector<Range> ranges;
    std::vector<float> values;
};

/// Throws Error when the intervention's cells are not in its node, or it has not one value for each.
void require_cells(const Graph& graph, const Intervention& intervention);
/// Throws Error when the intervention's node is not an op that runs with this plan, its ranges leave the node's cells,
/// or it has not one value for each of them.
void check_intervention(const Graph& graph, const Plan& plan, const Intervention& i);

/// One planned run of a graph on one device: inputs in, values and gradients out. Not thread-safe; owned by one worker.
/// Nothing is allocated by forward() or backward().
class Execution {
public:
    virtual ~Execution() = default;

    virtual const Graph& graph() const = 0;
    /// Copies an input's values; throws Error when the count is not the input's.
    virtual void set_input(int id, std::span<const float> values) = 0;
    /// An input's own memory, to change a part of it; what is not written stays from the last set_input(), but for what
    /// an op updates (Op::updates_first_input).
    virtual std::span<float> input_values(int id) = 0;
    /// From now on these cells are overwritten in every forward(), as soon as their node is computed; replaces all that
    /// were set before. No gradient passes through them to what the model had computed there. Throws Error when a node
    /// is not an op that this execution runs, or the cells are not in it.
    virtual void intervene(std::vector<Intervention> interventions) = 0;
    /// Runs forward with these parameters (all of them, in the graph's flat order). They must stay as they are until
    /// backward() has returned. A device may take matrices as their file holds them; the numbers are the same.
    virtual void forward(const ParameterView& parameters) = 0;
    /// After forward(): d loss / d parameter for every parameter, into `gradients` (flat, overwritten; on a cache line,
    /// AlignedFloats, for the same bytes every time). Where the plan asks for gradients of nodes, `gradients` is empty.
    virtual void backward(std::span<float> gradients) = 0;
    /// The same in parts, for whoever must not wait for all of it: one op a call, the first one first. Returns whether
    /// there is more; until then nothing else may be asked. A device that has no parts does all at once.
    virtual bool forward_part(const ParameterView& parameters, bool first) {
        if (first) forward(parameters);
        return false;
    }
    virtual bool backward_part(std::span<float> gradients, bool first) {
        if (first) backward(gradients);
        return false;
    }
    /// Copies a kept node's values (a view's too).
    virtual void read(int id, std::span<float> values) const = 0;
    /// A kept node's values (or an input's) where they lie, until the next forward(); empty when it was not kept.
    virtual std::span<const float> view(int id) const = 0;
    /// After backward(): d loss / d node, where it lies, of a node that the plan asked for (PlanRequest::gradients);
    /// empty where no path leads from it to the loss, and on devices that have none.
    virtual std::span<const float> gradient(int /*id*/) const { return {}; }
    /// The loss of the last forward().
    virtual float loss() const = 0;
    /// Whether every number of the last forward() was finite, the −∞ of hidden cells left out; always true where the
    /// plan does not say `watch`, and where the device cannot tell.
    virtual bool finite() const { return true; }
    /// Bytes held for values and gradients.
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
