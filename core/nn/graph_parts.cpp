#include "core/nn/graph_parts.h"

#include <algorithm>

#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Walks the ops and assigns each to one part.
class Grouping {
public:
    explicit Grouping(const Graph& graph) : graph_(graph), owner_(count(), -1), on_path_(count()), stream_(count()) {}

    void run();

    std::vector<GraphPart> parts;  // parts merged into another are left empty (main −1)
    const std::vector<int>& owner() const { return owner_; }
    bool on_stream(int node) const { return stream_[at(node)]; }
    bool any_stream() const { return std::ranges::find(stream_, true) != stream_.end(); }

private:
    std::size_t count() const { return graph_.nodes().size(); }
    bool is_op(int node) const { return graph_[node].kind == NodeInfo::Kind::op; }
    bool is_parameter(int node) const { return graph_[node].kind == NodeInfo::Kind::parameter; }
    OpTraits op(int node) const { return is_op(node) ? graph_[node].op->traits() : OpTraits{}; }
    OpRole role(int node) const { return op(node).role; }
    bool is_view(int node) const { return is_op(node) && graph_[node].op->is_view(); }
    GraphPart* part(int node) { return owner_[at(node)] < 0 ? nullptr : &parts[at(owner_[at(node)])]; }
    bool read_by_none(int node) const {
        return std::ranges::none_of(graph_.nodes(), [&](const NodeInfo& info) {
            return std::ranges::find(info.inputs, node) != info.inputs.end();
        });
    }
    bool in_embedding(int node) { return part(node) && part(node)->kind == PartKind::embed; }

    void find_path();
    int open(PartKind kind, int node);
    void claim(int index, int node);
    int only_reader(int node) const;
    int claim_projection(int index, int node);
    void claim_attention(int scores);
    void claim_pooler(int pooled);
    void claim_mlp(int activation);
    void claim_recurrent(int states);
    void claim_norm(int node);
    void claim_rest(int node);
    void claim_add(int node);
    bool leads_to(int from, int to) const;
    int stream_input(int a, int b) const;
    void merge_embeddings(int a, int b, int sum);
    void claim_side_nodes();
    void claim_sources();

    const Graph& graph_;
    std::vector<int> owner_;
    std::vector<bool> on_path_, stream_;
    std::vector<std::vector<int>> readers_;  // on the path
};

/// True for roles that measure the model without being a step of it: the loss, and what each head alone would write.
bool only_observes(OpRole role) { return role == OpRole::loss || role == OpRole::observer; }

/// From the raw scores to the heads' results, except views.
bool is_attention_stage(OpRole role) {
    return role == OpRole::attention_step || role == OpRole::attention_weights || role == OpRole::attention_values;
}

/// A stage of any norm.
bool is_norm(OpRole role) {
    return role == OpRole::norm_statistic || role == OpRole::norm_normalize || role == OpRole::norm_affine;
}

bool is_embedding(OpRole role) { return role == OpRole::token_embedding || role == OpRole::position_embedding; }

// Marks what the last op of the model is computed from, and a pooler alongside it; everything else only observes.
void Grouping::find_path() {
    int output = static_cast<int>(count()) - 1;
    while (output >= 0 && (!is_op(output) || only_observes(role(output)))) --output;
    if (output >= 0) on_path_[at(output)] = true;
    for (int node = 0; node < output; ++node)
        if (role(node) == OpRole::activation && read_by_none(node)) on_path_[at(node)] = true;
    for (int node = output; node >= 0; --node)
        if (on_path_[at(node)])
            for (const int input : graph_[node].inputs) on_path_[at(input)] = true;
    readers_.resize(count());
    for (int node = 0; node <= output; ++node)
        if (on_path_[at(node)])
            for (const int input : graph_[node].inputs) readers_[at(input)].push_back(node);
}

int Grouping::open(PartKind kind, int node) {
    parts.emplace_back().kind = kind;
    const int index = static_cast<int>(parts.size()) - 1;
    claim(index, node);
    return index;
}

void Grouping::claim(int index, int node) {
    owner_[at(node)] = index;
    GraphPart& e = parts[at(index)];
    e.nodes.push_back(node);
    if (on_path_[at(node)]) e.main = std::max(e.main, node);
}

int Grouping::only_reader(int node) const { return readers_[at(node)].size() == 1 ? readers_[at(node)][0] : -1; }

// From an operand of attention back through its reshaping, norm and rotation to its linear map, if it has one.
int Grouping::claim_projection(int index, int node) {
    const auto on_the_way = [&](int id) {
        return is_view(id) || role(id) == OpRole::attention_step || role(id) == OpRole::head_copy || is_norm(role(id));
    };
    int end = node;
    while (on_the_way(end) && owner_[at(end)] < 0) end = graph_[end].inputs[0];
    // Without a linear map, a norm before attention does not belong to it.
    const bool own_norm = role(end) == OpRole::linear;
    while (on_the_way(node) && owner_[at(node)] < 0 && (own_norm || !is_norm(role(node)))) {
        claim(index, node);
        for (const int input : graph_[node].inputs)
            if (role(input) == OpRole::norm_statistic && owner_[at(input)] < 0) claim(index, input);
        node = graph_[node].inputs[0];
    }
    if (role(node) == OpRole::linear && owner_[at(node)] < 0) claim(index, node);
    return node;
}

void Grouping::claim_attention(int scores) {
    const int index = open(PartKind::attention, scores);
    const Shape& shape = graph_[scores].shape;
    parts[at(index)].heads = shape.rank() >= 3 ? static_cast<int>(shape.back(2)) : 1;
    for (const int operand : graph_[scores].inputs) claim_projection(index, operand);
    for (int node = only_reader(scores); node >= 0 && owner_[at(node)] < 0; node = only_reader(node)) {
        if (role(node) == OpRole::linear) {  // W_O, unless it is the first map of an MLP
            const int next = only_reader(node);
            if (next < 0 || role(next) != OpRole::activation) claim(index, node);
            return;
        }
        if (!is_attention_stage(role(node)) && !is_view(node)) return;
        claim(index, node);
        if (role(node) == OpRole::attention_weights) parts[at(index)].pattern = node;
        if (role(node) == OpRole::attention_values) claim_projection(index, graph_[node].inputs[1]);
    }
}

// One row → linear → activation, with no reader.
void Grouping::claim_pooler(int pooled) {
    const int linear = only_reader(pooled), activation = linear < 0 ? -1 : only_reader(linear);
    if (activation < 0 || role(linear) != OpRole::linear || role(activation) != OpRole::activation) return;
    const int index = open(PartKind::pooler, pooled);
    for (const int node : {linear, activation}) claim(index, node);
}

// linear → activation → linear; with SwiGLU the activation gates a second linear map before the last one.
void Grouping::claim_mlp(int activation) {
    const auto free_linear = [&](int node) {
        return node >= 0 && role(node) == OpRole::linear && owner_[at(node)] < 0;
    };
    int after = only_reader(activation);
    const int gate = after >= 0 && role(after) == OpRole::gate ? after : -1;
    if (gate >= 0) after = only_reader(gate);
    const int before = graph_[activation].inputs[0];
    if (!free_linear(before) && !free_linear(after)) return;
    const int index = open(free_linear(after) ? PartKind::mlp : PartKind::linear, activation);
    if (free_linear(before)) claim(index, before);
    if (gate >= 0) claim(index, gate);
    if (gate >= 0)
        for (const int input : graph_[gate].inputs)
            if (free_linear(input)) claim(index, input);
    if (free_linear(after)) claim(index, after);
}

void Grouping::claim_recurrent(int states) {
    const int index = open(PartKind::recurrent, states), before = graph_[states].inputs[0];
    if (role(before) == OpRole::linear && owner_[at(before)] < 0) claim(index, before);
}

// mean → scale → normalize → affine: a later stage continues the part of the stage that it reads. An affine stage ends
// its norm: a norm stage that reads it starts another.
void Grouping::claim_norm(int node) {
    for (const int input : graph_[node].inputs)
        if (is_norm(role(input)) && role(input) != OpRole::norm_affine) return claim(owner_[at(input)], node);
    open(PartKind::layer_norm, node);
}

/// True if `to` is computed from `from`. Ids are in topological order, so only the nodes in between are checked.
bool Grouping::leads_to(int from, int to) const {
    if (from >= to) return false;
    std::vector<bool> seen(at(to - from) + 1);
    std::vector<int> open_nodes = {to};
    while (!open_nodes.empty()) {
        const int node = open_nodes.back();
        open_nodes.pop_back();
        for (const int input : graph_[node].inputs) {
            if (input == from) return true;
            if (input < from || seen[at(input - from)]) continue;
            seen[at(input - from)] = true;
            open_nodes.push_back(input);
        }
    }
    return false;
}

// The residual stream is the operand that a branch leaves and rejoins; −1 if neither is.
int Grouping::stream_input(int a, int b) const {
    if (stream_[at(a)] && stream_[at(b)]) return std::max(a, b);
    if (stream_[at(a)] || leads_to(a, b)) return a;
    if (stream_[at(b)] || leads_to(b, a)) return b;
    return -1;
}

void Grouping::merge_embeddings(int a, int b, int sum) {
    const int keep = owner_[at(a)], gone = owner_[at(b)];
    if (keep != gone) {
        for (const int node : parts[at(gone)].nodes) claim(keep, node);
        parts[at(gone)] = {};
    }
    claim(keep, sum);
}

void Grouping::claim_add(int node) {
    const int a = graph_[node].inputs[0], b = graph_[node].inputs[1];
    if (in_embedding(a) && in_embedding(b)) return merge_embeddings(a, b, node);
    for (const auto& [value, other] : {std::pair(a, b), std::pair(b, a)})  // a bias belongs to what it is added to
        if (is_parameter(other) && owner_[at(value)] >= 0) return claim(owner_[at(value)], node);
    const int stream = is_op(a) && is_op(b) && a != b ? stream_input(a, b) : -1;
    if (stream >= 0) stream_[at(stream)] = stream_[at(node)] = true;
    open(stream >= 0 ? PartKind::residual_add : PartKind::sum, node);
}

void Grouping::claim_rest(int node) {
    const int reader = only_reader(node);
    const bool last = readers_[at(node)].empty() ||
                      (reader >= 0 && role(reader) == OpRole::attention_weights && readers_[at(reader)].empty());
    const int source = graph_[node].inputs.empty() ? -1 : graph_[node].inputs[0];
    const bool has_owner = source >= 0 && owner_[at(source)] >= 0, linear = role(node) == OpRole::linear;
    const bool hands_on = op(node).training_only || is_view(node);
    if (is_embedding(role(node)) || (linear && source >= 0 && graph_[source].kind == NodeInfo::Kind::input))
        open(PartKind::embed, node);
    else if (has_owner && ((hands_on && !stream_[at(source)]) ||
                           (linear && role(source) == OpRole::position_embedding)))  // embeds a position index
        claim(owner_[at(source)], node);
    else if (role(node) == OpRole::add)
        claim_add(node);
    else if (role(node) == OpRole::unembedding || (linear && last))
        open(PartKind::unembed, node);
    else if (linear)
        open(PartKind::linear, node);
    else if (role(node) == OpRole::attention_weights)
        open(PartKind::softmax, node);
    else
        open(PartKind::other, node);
}

// hook_result is computed from one attention's values, so selecting it selects that attention. The loss has no part.
void Grouping::claim_side_nodes() {
    for (int node = 0; node < static_cast<int>(count()); ++node) {
        if (!is_op(node) || on_path_[at(node)] || role(node) == OpRole::loss) continue;
        for (const int input : graph_[node].inputs)
            if (is_op(input) && owner_[at(input)] >= 0 && owner_[at(node)] < 0) claim(owner_[at(input)], node);
    }
}

// Parameters belong to the part that reads them first, inputs to the only part that reads them.
void Grouping::claim_sources() {
    for (int node = 0; node < static_cast<int>(count()); ++node) {
        if (is_op(node) || readers_[at(node)].empty()) continue;
        const int first = owner_[at(readers_[at(node)].front())];
        const bool one = std::ranges::all_of(readers_[at(node)], [&](int r) { return owner_[at(r)] == first; });
        if (!one && !is_parameter(node)) continue;
        if (first < 0) continue;
        owner_[at(node)] = first;
        GraphPart& e = parts[at(first)];
        e.nodes.push_back(node);
        if (!is_parameter(node)) continue;
        e.parameters += graph_[node].shape.elements();
        for (const int r : readers_[at(node)])
            if (owner_[at(r)] != first && owner_[at(r)] >= 0) parts[at(owner_[at(r)])].shared = graph_[node].name;
    }
}

void Grouping::run() {
    find_path();
    const auto each = [&](auto&& wanted, auto&& claim_it) {
        for (int node = 0; node < static_cast<int>(count()); ++node)
            if (is_op(node) && on_path_[at(node)] && owner_[at(node)] < 0 && wanted(role(node))) claim_it(node);
    };
    each([](OpRole r) { return r == OpRole::attention_scores; }, [&](int n) { claim_attention(n); });
    each([](OpRole r) { return r == OpRole::pooling; }, [&](int n) { claim_pooler(n); });
    each([](OpRole r) { return r == OpRole::activation; }, [&](int n) { claim_mlp(n); });
    each([](OpRole r) { return r == OpRole::recurrent_state; }, [&](int n) { claim_recurrent(n); });
    each(is_norm, [&](int n) { claim_norm(n); });
    each([](OpRole) { return true; }, [&](int n) { claim_rest(n); });
    claim_side_nodes();
    claim_sources();
}

/// What a part reads from other parts, and whether that is the residual stream.
void wire(GraphPart& part, const Graph& graph, const Grouping& grouping, const std::vector<int>& part_of) {
    const int self = part_of[at(part.main)];
    part.on_stream = part.kind != PartKind::residual_add && grouping.on_stream(part.main);
    for (const int node : part.nodes) {
        if (node > part.main) continue;
        for (const int input : graph[node].inputs) {
            const int from = part_of[at(input)];
            if (from < 0 || from == self || graph[input].kind != NodeInfo::Kind::op) continue;
            if (grouping.on_stream(input))
                part.reads_stream = true;
            else if (std::ranges::find(part.reads, from) == part.reads.end())
                part.reads.push_back(from);
            if (part.source < 0) part.source = input;
        }
    }
}

// Finds the block by the names of the part's own ops; an unnamed add takes that of the branch that it adds. The
// embedding may have the name of the stream that it starts, but is still outside the blocks.
void find_block(GraphPart& part, const Graph& graph, const std::vector<GraphPart>& parts) {
    part.encoder = node_place(graph[part.main].name).encoder;
    if (part.kind == PartKind::embed) return;
    for (const int node : part.nodes)
        if (graph[node].kind == NodeInfo::Kind::op)
            part.block = std::max(part.block, node_place(graph[node].name).block);
    if (part.kind != PartKind::residual_add && part.kind != PartKind::sum) return;
    for (const int branch : part.reads) part.block = std::max(part.block, parts[at(branch)].block);
}

}  // namespace

GraphParts find_parts(const Graph& graph) {
    Grouping grouping(graph);
    grouping.run();
    GraphParts found;
    found.has_stream = grouping.any_stream();
    found.part_of.assign(graph.nodes().size(), -1);
    for (GraphPart& part : grouping.parts)
        if (part.main >= 0) found.parts.push_back(std::move(part));
    // A part finishes after everything that it reads, so the order of the results is an order of execution.
    std::ranges::sort(found.parts, {}, &GraphPart::main);
    for (std::size_t i = 0; i < found.parts.size(); ++i) {
        std::ranges::sort(found.parts[i].nodes);
        for (const int node : found.parts[i].nodes) found.part_of[at(node)] = static_cast<int>(i);
    }
    for (GraphPart& part : found.parts) wire(part, graph, grouping, found.part_of);
    for (GraphPart& part : found.parts) find_block(part, graph, found.parts);
    return found;
}

}  // namespace glassformer
