#pragma once

#include <map>
#include <span>
#include <vector>

#include "core/backend/backend.h"

namespace glassformer {

/// The node whose memory a view shares; any other node is its own root.
int root_of(const Graph& graph, int node);

/// The cells of a run that interventions set, so that no explanation claims that the model computed them. A view and
/// its root are one memory: cells that are set through one are set in the other.
class OverwrittenCells {
public:
    OverwrittenCells() = default;
    /// The interventions must be such as Execution::intervene() takes. Throws Error where the values that are read
    /// when the run is over would no longer be the ones that other cells were made of: a recurrent layer's states (each
    /// made from the one before it, as it was), or a view whose memory another op has read before.
    OverwrittenCells(const Graph& graph, std::span<const Intervention> interventions);

    /// Cell `offset` (row-major, with the batch axis) of a root.
    bool contains(int root, std::int64_t offset) const;
    /// Whether any cell of a root was set.
    bool any(int root) const { return by_root_.contains(root); }
    bool empty() const { return by_root_.empty(); }

private:
    std::map<int, std::vector<Intervention::Range>> by_root_;
};

}  // namespace glassformer
