#include "core/trace/trace.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "core/base/aligned.h"
#include "core/base/thread_pool.h"

namespace glassformer {

namespace {

std::size_t slot(int id) { return static_cast<std::size_t>(id); }

}  // namespace

bool has_batch_axis(const Graph& graph, int node) {
    const NodeInfo& info = graph[node];
    if (info.kind == NodeInfo::Kind::parameter || info.shape.rank() == 0) return false;
    if (info.kind == NodeInfo::Kind::input) return info.name != "training_state";
    const std::string_view op = info.op->name();
    if (op == "batch_norm_mean" || op == "batch_norm_variance" || op == "batch_norm_choose") return false;
    return std::ranges::any_of(info.inputs, [&](int input) { return has_batch_axis(graph, input); });
}

/// Values of nodes that the run did not keep. They are made at most once and then stay where they are.
class Trace::Later {
public:
    std::span<const float> values(const Trace& trace, int node) {
        const std::lock_guard lock(mutex_);
        return locked_values(trace, node);
    }

private:
    std::span<const float> locked_values(const Trace& trace, int node) {
        const NodeInfo& info = trace.graph()[node];
        if (info.kind == NodeInfo::Kind::parameter || !trace.run_->view(node).empty()) return trace.values(node);
        if (info.op->is_view()) return locked_values(trace, info.inputs[0]);
        const auto found = made_.find(node);
        if (found != made_.end()) return found->second;
        std::vector<ConstView> inputs;
        for (const int input : info.inputs)
            inputs.push_back({locked_values(trace, input).data(), trace.graph()[input].shape});
        AlignedFloats values(static_cast<std::size_t>(info.shape.elements()));
        info.op->forward({inputs, {values.data(), info.shape}, pool_});
        return made_.emplace(node, std::move(values)).first->second;
    }

    std::mutex mutex_;
    ThreadPool pool_{1};
    std::map<int, AlignedFloats> made_;
};

Trace::Trace(const TransformerGraph& model, Parameters parameters, TraceInput input,
             std::shared_ptr<const Execution> run, OverwrittenCells overwritten)
    : model_(model),
      parameters_(std::move(parameters)),
      input_(std::move(input)),
      run_(std::move(run)),
      overwritten_(std::move(overwritten)),
      later_(std::make_unique<Later>()) {}

Trace::~Trace() = default;

std::span<const float> Trace::values(int node) const {
    const NodeInfo& info = graph()[node];
    if (info.kind == NodeInfo::Kind::parameter)
        return std::span(*parameters_)
            .subspan(static_cast<std::size_t>(info.offset), static_cast<std::size_t>(info.shape.elements()));
    const std::span<const float> kept = run_->view(node);
    return kept.empty() ? later_->values(*this, node) : kept;
}

Shape Trace::shape(int node) const {
    const Shape& full = graph()[node].shape;
    return has_batch_axis(graph(), node) ? full.without_first() : full;
}

bool Trace::overwritten(const Cell& cell) const {
    return overwritten_.contains(root_of(graph(), cell.node), cell.offset);
}

bool Trace::overwritten(int node) const { return overwritten_.any(root_of(graph(), node)); }

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
    std::vector<ConstView> inputs;
    for (const int input : info.inputs) inputs.push_back({values(input).data(), graph()[input].shape});
    const OpExplanation found =
        info.op->explain({inputs, info.shape, cell.offset, {values(cell.node).data(), info.shape}});
    result.recomputed = found.value;
    result.op = info.op->name();
    result.formula = found.formula;
    result.numbers = found.numbers;
    result.terms_title = found.terms_title;
    for (const Term& term : found.terms) {
        Explanation::Term resolved;
        resolved.contribution = term.contribution;
        for (const OperandCell& operand : term.operands)
            resolved.operands.push_back(
                {{operand.input == OperandCell::own_output ? cell.node
                                                           : info.inputs[static_cast<std::size_t>(operand.input)],
                  operand.offset},
                 operand.value});
        result.terms.push_back(std::move(resolved));
    }
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
