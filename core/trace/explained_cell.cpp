#include "core/trace/explained_cell.h"

#include <cstdint>

namespace glassformer {

namespace {

/// The slices of input number `i` that explain() reads for this cell.
Slices read_by(const Trace& trace, const Cell& cell, std::size_t i) {
    const NodeInfo& info = trace.graph()[cell.node];
    const Reads reads = info.op->reads(static_cast<int>(i));
    if (reads == Reads::slice && info.op->by_slices(info.shape)) return trace.slices(cell.node).around(cell.offset);
    if (reads == Reads::slice_of_head) return {index_of(info.shape, cell.offset)[2], 1};
    return trace.slices(info.inputs[i]).all();
}

/// Where the node would begin whose part this is, so that the part lies at its own offsets. Reckoned in bytes: there
/// may be nothing at that address.
const float* begin_of_node(const TracePart& part) {
    const auto here = reinterpret_cast<std::uintptr_t>(part.values().data());
    return reinterpret_cast<const float*>(here - static_cast<std::uintptr_t>(part.first()) * sizeof(float));
}

}  // namespace

ExplainedCell::ExplainedCell(const Trace& trace, const Cell& cell) {
    const NodeInfo& info = trace.graph()[cell.node];
    for (std::size_t i = 0; i < info.inputs.size(); ++i)
        inputs_.push_back(show(trace, info.inputs[i], read_by(trace, cell, i)));
    output_ = show(trace, cell.node, trace.slices(cell.node).around(cell.offset));
}

ConstView ExplainedCell::show(const Trace& trace, int node, Slices slices) {
    const Shape& shape = trace.graph()[node].shape;
    if (trace.kept(node)) return {trace.values(node).data(), shape};
    const TracePart& part = held_.emplace_back(trace.part(node, slices));
    return {begin_of_node(part), shape};
}

}  // namespace glassformer
