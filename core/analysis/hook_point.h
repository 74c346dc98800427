#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// A place in a model: a node, and one position or one head of it, or all of them (−1). Of a pattern or of scores
/// [head, query, key] the position is the query.
struct HookPoint {
    std::string node;
    int position = -1;
    int head = -1;
    bool operator==(const HookPoint&) const = default;
};

/// The cells of a place, ascending, in every sentence of the batch. Throws Error when the model has no such node, or
/// the node no such position or head.
std::vector<Intervention::Range> cells_of(const TransformerGraph& model, const HookPoint& site);

/// An intervention on all the cells of a place. Names of one memory (hook_q and hook_k of a shared projection) are one
/// place: what is set in one is set in the other. `values` has one value for each, in the order of cells_of(), or as
/// many as go into them evenly and are repeated. Throws Error when they do not fit.
Intervention set_cells(const TransformerGraph& model, const HookPoint& site, std::span<const float> values);

/// The traced values of a place, in the order of cells_of().
std::vector<float> values_of(const Trace& trace, const HookPoint& site);

}  // namespace glassformer
