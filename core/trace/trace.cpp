#include "core/trace/trace.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

namespace {

std::size_t slot(int id) { return static_cast<std::size_t>(id); }

// Inputs that are not fed hold zeros: nothing is to be predicted, and the model is not in training.
void feed(Execution& run, const TransformerGraph& model, const std::vector<int>& tokens) {
    if (model.tokens < 0 || model.source_tokens >= 0)
        throw Error("only a model that reads one sentence of words can be traced from its tokens alone");
    const std::vector<float> ids(tokens.begin(), tokens.end()), ones(tokens.size(), 1.0f);
    run.set_input(model.tokens, ids);
    run.set_input(model.key_mask, ones);
    if (model.config.output == OutputKind::words) run.set_input(model.targets, ids);
}

}  // namespace

bool has_batch_axis(const Graph& graph, int node) {
    const NodeInfo& info = graph[node];
    if (info.kind == NodeInfo::Kind::parameter || info.shape.rank() == 0) return false;
    if (info.kind == NodeInfo::Kind::input) return info.name != "training_state";
    const std::string_view op = info.op->name();
    if (op == "batch_norm_mean" || op == "batch_norm_variance" || op == "batch_norm_choose") return false;
    return std::ranges::any_of(info.inputs, [&](int input) { return has_batch_axis(graph, input); });
}

Trace::Trace(const TransformerGraph& model, Parameters parameters, std::vector<int> tokens, Execution& run,
             OverwrittenCells overwritten)
    : model_(model),
      parameters_(std::move(parameters)),
      tokens_(std::move(tokens)),
      offsets_(model.graph->nodes().size()),
      overwritten_(std::move(overwritten)) {
    std::int64_t total = 0;
    for (std::size_t id = 0; id < offsets_.size(); ++id) {
        offsets_[id] = total;
        if (graph()[static_cast<int>(id)].kind != NodeInfo::Kind::parameter)
            total += graph()[static_cast<int>(id)].shape.elements();
    }
    cells_.resize(static_cast<std::size_t>(total));
    for (std::size_t id = 0; id < offsets_.size(); ++id) {
        const NodeInfo& info = graph()[static_cast<int>(id)];
        if (info.kind == NodeInfo::Kind::parameter) continue;
        run.read(static_cast<int>(id), {cells_.data() + offsets_[id], static_cast<std::size_t>(info.shape.elements())});
    }
}

std::span<const float> Trace::values(int node) const {
    const NodeInfo& info = graph()[node];
    const auto count = static_cast<std::size_t>(info.shape.elements());
    if (info.kind == NodeInfo::Kind::parameter)
        return std::span(*parameters_).subspan(static_cast<std::size_t>(info.offset), count);
    return std::span(cells_).subspan(static_cast<std::size_t>(offsets_[slot(node)]), count);
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

void require_tokens(const std::vector<int>& tokens, const TransformerConfig& config) {
    if (tokens.empty()) throw Error("the sentence is empty; type at least one word");
    if (static_cast<int>(tokens.size()) > config.n_ctx)
        throw Error("the sentence has " + std::to_string(tokens.size()) + " tokens; this model reads at most " +
                    std::to_string(config.n_ctx));
    for (const int token : tokens)
        if (token < 0 || token >= config.d_vocab)
            throw Error("token " + std::to_string(token) + " is not in the vocabulary; ids go from 0 to " +
                        std::to_string(config.d_vocab - 1));
}

std::shared_ptr<const Trace> Tracer::trace(const std::vector<int>& tokens, const Parameters& parameters,
                                           const std::vector<Intervention>& interventions) {
    require_tokens(tokens, config_);
    Planned& p = planned(static_cast<int>(tokens.size()));
    feed(*p.run, p.model, tokens);
    p.run->intervene(interventions);
    OverwrittenCells overwritten(*p.model.graph, interventions);
    p.run->forward(*parameters);
    return std::make_shared<Trace>(p.model, parameters, tokens, *p.run, std::move(overwritten));
}

Tracer::Planned& Tracer::planned(int positions) {
    const auto found = by_length_.find(positions);
    if (found != by_length_.end()) return found->second;
    Planned fresh{build_transformer(config_, {1, positions}), nullptr};
    PlanRequest request;
    for (std::size_t id = 0; id < fresh.model.graph->nodes().size(); ++id)
        if (fresh.model.graph->nodes()[id].kind == NodeInfo::Kind::op) request.keep.push_back(static_cast<int>(id));
    fresh.run = backend_.prepare(fresh.model.graph, request);
    return by_length_.emplace(positions, std::move(fresh)).first->second;
}

}  // namespace glassformer
