#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/base/aligned.h"
#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/train/trainer.h"

namespace glassformer {

namespace {

using Where = Diagnosis::Where;

/// The first non-finite cell; with `masked`, −∞ passes.
std::optional<std::int64_t> first_bad(std::span<const float> values, bool masked) {
    const auto bad = [&](float x) { return !std::isfinite(x) && !(masked && std::isinf(x) && x < 0.0f); };
    const auto found = std::ranges::find_if(values, bad);
    if (found == values.end()) return std::nullopt;
    return found - values.begin();
}

/// The ops that the loss depends on, in graph order.
std::vector<int> way_to(const Graph& graph, int loss) {
    std::vector<bool> needed(graph.nodes().size());
    needed[loss] = true;
    std::vector<int> ops;
    for (int id = loss; id >= 0; --id) {
        if (!needed[id] || graph[id].kind != NodeInfo::Kind::op) continue;
        for (const int input : graph[id].inputs) needed[input] = true;
        ops.push_back(id);
    }
    std::ranges::reverse(ops);
    return ops;
}

/// The op's own parameter, otherwise the nearest one before it: breadth-first, earlier inputs first.
std::string parameter_of(const Graph& graph, int op) {
    std::vector<int> queue{op};
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (const int input : graph[queue[i]].inputs) {
            if (graph[input].kind == NodeInfo::Kind::parameter) return graph[input].name;
            if (std::ranges::find(queue, input) == queue.end()) queue.push_back(input);
        }
    return {};
}

std::string text_of(const Shape& shape, std::int64_t cell) {
    const Index index = index_of(shape, cell);
    std::string text = "[";
    for (int axis = 0; axis < shape.rank(); ++axis) text += (axis ? ", " : "") + std::to_string(index[axis]);
    return text + "]";
}

/// Fills in the cell, and the op if there is one.
void describe(Diagnosis& d, const Graph& graph, int node, const Shape& shape, std::int64_t cell, float value) {
    d.cell = cell;
    d.cell_text = text_of(shape, cell);
    d.value = value;
    if (node < 0) return;
    d.node = node;
    d.node_name = graph[node].name;
    d.op = graph[node].op->name();
}

bool find_in_parameters(Diagnosis& d, const Graph& graph, std::span<const float> parameters) {
    for (const int id : graph.parameters()) {
        const NodeInfo& info = graph[id];
        const auto cells = parameters.subspan(info.offset, info.shape.elements());
        const std::optional<std::int64_t> bad = first_bad(cells, false);
        if (!bad) continue;
        d.where = Where::parameter;
        d.parameter = info.name;
        describe(d, graph, -1, info.shape, *bad, cells[*bad]);
        return true;
    }
    return false;
}

bool find_forward(Diagnosis& d, const Execution& run, const std::vector<int>& ops) {
    const Graph& graph = run.graph();
    for (const int id : ops) {
        const std::span<const float> values = run.view(id);
        const std::optional<std::int64_t> bad = first_bad(values, graph[id].op->traits().is_mask);
        if (!bad) continue;
        d.where = Where::forward;
        d.parameter = parameter_of(graph, id);
        describe(d, graph, id, graph[id].shape, *bad, values[*bad]);
        return true;
    }
    return false;
}

/// The backward pass runs from the loss down, so the last op is the first to produce a gradient.
bool find_backward(Diagnosis& d, const Graph& graph, const std::vector<int>& ops, std::span<const float> gradients) {
    for (auto op = ops.rbegin(); op != ops.rend(); ++op)
        for (const int input : graph[*op].inputs) {
            const NodeInfo& info = graph[input];
            if (info.kind != NodeInfo::Kind::parameter) continue;
            const auto cells = gradients.subspan(info.offset, info.shape.elements());
            const std::optional<std::int64_t> bad = first_bad(cells, false);
            if (!bad) continue;
            d.where = Where::backward;
            d.parameter = info.name;
            describe(d, graph, *op, info.shape, *bad, cells[*bad]);
            return true;
        }
    return false;
}

/// Finds the largest gradient if its square may overflow a float.
bool find_in_norm(Diagnosis& d, const Graph& graph, std::span<const float> gradients) {
    const auto magnitude = [](float g) { return std::abs(g); };
    const auto largest = std::ranges::max_element(gradients, {}, magnitude);
    if (largest == gradients.end() || std::abs(*largest) < 1e17f) return false;
    const std::int64_t cell = largest - gradients.begin();
    for (const int id : graph.parameters()) {
        const NodeInfo& info = graph[id];
        if (cell < info.offset || cell >= info.offset + info.shape.elements()) continue;
        d.where = Where::norm;
        d.parameter = info.name;
        describe(d, graph, -1, info.shape, cell - info.offset, *largest);
    }
    return true;
}

}  // namespace

std::string Diagnosis::text() const {
    const char* const what = std::isnan(value) ? "NaN" : value > 0.0f ? "inf" : "-inf";
    switch (where) {
        case Where::nowhere:
            break;
        case Where::parameter:
            return filled_with(N_("the weight {1} {2} is {3}"), parameter, cell_text, what);
        case Where::forward:
            return parameter.empty()
                       ? filled_with(N_("the first such value is {1} in {2} {3} ({4})"), what, node_name, cell_text, op)
                       : filled_with(N_("the first such value is {1} in {2} {3} ({4}, with {5})"), what, node_name,
                                     cell_text, op, parameter);
        case Where::backward:
            return filled_with(N_("the first such gradient is {1}, of {2} {3} (read by {4} for {5})"), what, parameter,
                               cell_text, op, node_name);
        case Where::norm: {
            std::ostringstream largest;
            largest << value;
            return filled_with(N_("the gradients are too large to be squared; the largest is {1}, of {2} {3}"),
                               largest.str(), parameter, cell_text);
        }
    }
    return N_("run again, every number was finite");
}

Diagnosis diagnose(Backend& backend, const TransformerGraph& model, std::span<const float> parameters,
                   const Batch& batch, std::uint64_t seed, std::int64_t step) {
    const Graph& graph = *model.graph;
    Diagnosis d;
    d.step = step;
    if (find_in_parameters(d, graph, parameters)) return d;
    const std::vector<int> ops = way_to(graph, model.loss);
    const std::unique_ptr<Execution> run = backend.prepare(model.graph, {ops, model.loss});
    set_training_inputs(*run, model, batch, seed, step);
    run->forward(parameters);
    if (find_forward(d, *run, ops)) return d;
    AlignedFloats gradients(parameters.size());
    run->backward(gradients);
    if (!find_backward(d, graph, ops, gradients)) find_in_norm(d, graph, gradients);
    return d;
}

}  // namespace glassformer
