#include "core/trace/trace.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/trace/recompute.h"

namespace glassformer {

namespace {

std::size_t slot(int id) { return static_cast<std::size_t>(id); }

/// The inputs and output, in their full shapes, that an op gets to explain a cell. For nodes that are not available,
/// only the slices that Op::reads() names for this cell are computed; the rest of such a node must not be read.
class ExplainedCell {
public:
    ExplainedCell(const Trace& trace, const Cell& cell);

    std::span<const ConstView> inputs() const { return inputs_; }
    ConstView output() const { return output_; }

private:
    ConstView show(const Trace& trace, int node, Slices slices);

    std::vector<SliceView> held_;
    std::vector<ConstView> inputs_;
    ConstView output_;
};

/// The slices of input number `i` that explain() reads for this cell.
Slices read_by(const Trace& trace, const Cell& cell, std::size_t i) {
    const NodeInfo& info = trace.graph()[cell.node];
    const Reads reads = info.op->reads(static_cast<int>(i));
    if (reads == Reads::slice && info.op->by_slices(info.shape)) return trace.slices(cell.node).around(cell.offset);
    if (reads == Reads::slice_of_head) return {index_of(info.shape, cell.offset)[2], 1};
    return trace.slices(info.inputs[i]).all();
}

/// The address at which the whole node would begin, so that the part lies at its own offsets. Computed in bytes, since
/// there may be nothing at that address.
const float* begin_of_node(const SliceView& part) {
    const auto here = reinterpret_cast<std::uintptr_t>(part.values().data());
    return reinterpret_cast<const float*>(here - static_cast<std::uintptr_t>(part.first()) * sizeof(float));
}

ExplainedCell::ExplainedCell(const Trace& trace, const Cell& cell) {
    const NodeInfo& info = trace.graph()[cell.node];
    for (std::size_t i = 0; i < info.inputs.size(); ++i)
        inputs_.push_back(show(trace, info.inputs[i], read_by(trace, cell, i)));
    output_ = show(trace, cell.node, trace.slices(cell.node).around(cell.offset));
}

ConstView ExplainedCell::show(const Trace& trace, int node, Slices slices) {
    const Shape& shape = trace.graph()[node].shape;
    if (trace.kept(node)) return {trace.values(node).data(), shape};
    const SliceView& part = held_.emplace_back(trace.part(node, slices));
    return {begin_of_node(part), shape};
}

}  // namespace

bool has_batch_axis(const Graph& graph, int node) {
    const NodeInfo& info = graph[node];
    if (info.kind == NodeInfo::Kind::parameter || info.shape.rank() == 0) return false;
    if (info.kind == NodeInfo::Kind::input) return info.name != "training_state";
    if (info.op->traits().drops_batch) return false;
    return std::ranges::any_of(info.inputs, [&](int input) { return has_batch_axis(graph, input); });
}

SliceAxis::SliceAxis(const Graph& graph, int node) {
    const Shape& shape = graph[node].shape;
    const int axis = has_batch_axis(graph, node) ? 1 : 0;
    if (shape.rank() > axis) count = shape[axis];
    width = shape.elements() / std::max<std::int64_t>(count, 1);
}

Trace::Trace(const TransformerGraph& model, Parameters parameters, TraceInput input,
             std::shared_ptr<const Execution> run, std::vector<Intervention> interventions, std::int64_t parts)
    : model_(model),
      parameters_(std::move(parameters)),
      input_(std::move(input)),
      run_(std::move(run)),
      overwritten_(*model_.graph, interventions),
      recompute_(std::make_unique<Recompute>(*this, std::move(interventions), parts)) {}

Trace::~Trace() = default;

std::span<const float> Trace::find_values(int node) const {
    const NodeInfo& info = graph()[node];
    if (info.kind == NodeInfo::Kind::parameter) return parameters_->values(info.offset, info.shape.elements());
    const std::span<const float> kept = run_->view(node);
    return kept.empty() ? recompute_->made_whole(root_of(graph(), node)) : kept;
}

std::span<const float> Trace::values(int node) const {
    const std::span<const float> kept = find_values(node);
    if (!kept.empty()) return kept;
    const int root = root_of(graph(), node);
    return root == node ? recompute_->whole(node) : values(root);
}

float Trace::at(const Cell& cell) const {
    const std::span<const float> kept = find_values(cell.node);
    return kept.empty() ? part_of(cell).at(cell.offset) : kept[cell.offset];
}

bool Trace::kept(int node) const {
    return graph()[node].kind == NodeInfo::Kind::parameter || !find_values(node).empty();
}

std::int64_t Trace::part_bytes() const { return recompute_->bytes(); }

SliceView Trace::part(int node, Slices wanted, bool hold) const {
    const SliceAxis axis = slices(node);
    if (wanted.first < 0 || wanted.count < 0 || wanted.first > axis.count || wanted.count > axis.count - wanted.first)
        throw Error("{1} has {2} parts along its first axis; {3} and {4} more were asked for", graph()[node].name,
                    axis.count, wanted.first, wanted.count - 1);
    const std::int64_t first = wanted.first * axis.width, count = wanted.count * axis.width;
    const std::span<const float> all = find_values(node);
    if (!all.empty()) return {all.subspan(first, count), first, nullptr};
    if (count == 0) return {{}, first, nullptr};
    const int root = root_of(graph(), node);
    if (root == node) return recompute_->part(node, wanted, hold);
    // A view's cells have the same order in its root, but its slices may be divided differently.
    return part(root, slices(root).around(first, count), hold).cut(first, count);
}

Shape Trace::shape(int node) const {
    const Shape& full = graph()[node].shape;
    return has_batch_axis(graph(), node) ? full.without_first() : full;
}

bool Trace::overwritten(const Cell& cell) const {
    return overwritten_.contains(root_of(graph(), cell.node), cell.offset);
}

bool Trace::overwritten(int node) const { return overwritten_.any(root_of(graph(), node)); }

const std::vector<Intervention>& Trace::interventions() const { return recompute_->interventions(); }

Explanation Trace::explain(const Cell& cell) const {
    const NodeInfo& info = graph()[cell.node];
    if (info.kind == NodeInfo::Kind::op && info.op->is_view()) {
        Explanation same = explain({info.inputs[0], cell.offset});
        same.cell = cell;
        return same;
    }
    Explanation result;
    result.cell = cell;
    result.traced = result.recomputed = static_cast<double>(at(cell));
    result.overwritten = overwritten(cell);
    if (info.kind != NodeInfo::Kind::op || result.overwritten) return result;
    const ExplainedCell read(*this, cell);
    const OpExplanation found = info.op->explain({read.inputs(), info.shape, cell.offset, read.output()});
    result.recomputed = found.value;
    result.op = info.op->name();
    result.title = title_of(*info.op);
    result.traits = info.op->traits();
    result.reading = found.reading;
    result.formula = found.formula;
    result.numbers = found.numbers;
    result.terms_title = found.terms_title;
    for (const Term& term : found.terms) {
        Explanation::Term resolved;
        resolved.contribution = term.contribution;
        for (const OperandCell& operand : term.operands)
            resolved.operands.push_back(
                {{operand.input == OperandCell::own_output ? cell.node : info.inputs[operand.input], operand.offset},
                 operand.value});
        result.terms.push_back(std::move(resolved));
    }
    parameters_->require_unchanged();  // weights past the end of a truncated file would read as zeros
    return result;
}

std::string Trace::address(const Cell& cell) const {
    const Shape visible = shape(cell.node);
    const Index index = index_of(visible, cell.offset);
    std::string text = graph()[cell.node].name;
    if (visible.rank() == 0) return text;
    for (int axis = 0; axis < visible.rank(); ++axis) text += (axis ? ", " : "[") + std::to_string(index[slot(axis)]);
    return text + "]";
}

}  // namespace glassformer
