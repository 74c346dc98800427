#include "app/views/model_map_layout.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace glassformer::app {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Walks the ops and gives each to one element.
class Grouping {
public:
    explicit Grouping(const Graph& graph) : graph_(graph), owner_(count(), -1), on_path_(count()), stream_(count()) {}

    void run();

    std::vector<MapElement> elements;  // merged ones are left empty (main −1)
    const std::vector<int>& owner() const { return owner_; }
    bool on_stream(int node) const { return stream_[at(node)]; }
    bool any_stream() const { return std::ranges::find(stream_, true) != stream_.end(); }

private:
    std::size_t count() const { return graph_.nodes().size(); }
    bool is_op(int node) const { return graph_[node].kind == NodeInfo::Kind::op; }
    bool is_parameter(int node) const { return graph_[node].kind == NodeInfo::Kind::parameter; }
    std::string_view op(int node) const { return is_op(node) ? graph_[node].op->name() : std::string_view(); }
    MapElement* element(int node) { return owner_[at(node)] < 0 ? nullptr : &elements[at(owner_[at(node)])]; }
    bool is_embedding(int node) { return element(node) && element(node)->kind == MapKind::embed; }

    void find_path();
    int open(MapKind kind, int node);
    void claim(int element, int node);
    int only_reader(int node) const;
    int claim_projection(int element, int node);
    void claim_attention(int scores);
    void claim_mlp(int activation);
    void claim_layer_norm(int node);
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

bool is_activation(std::string_view op) {
    static constexpr std::array<std::string_view, 5> names = {"gelu", "relu", "silu", "tanh", "sigmoid"};
    return std::ranges::find(names, op) != names.end();
}

/// Measures what the model does without being a step of it: the loss, and what each head alone would write.
bool only_observes(std::string_view op) { return op == "cross_entropy" || op == "head_result"; }

// What the last op of the model is made of; the rest looks on from the side.
void Grouping::find_path() {
    int output = static_cast<int>(count()) - 1;
    while (output >= 0 && (!is_op(output) || only_observes(op(output)))) --output;
    if (output >= 0) on_path_[at(output)] = true;
    for (int node = output; node >= 0; --node)
        if (on_path_[at(node)])
            for (const int input : graph_[node].inputs) on_path_[at(input)] = true;
    readers_.resize(count());
    for (int node = 0; node <= output; ++node)
        if (on_path_[at(node)])
            for (const int input : graph_[node].inputs) readers_[at(input)].push_back(node);
}

int Grouping::open(MapKind kind, int node) {
    elements.emplace_back().kind = kind;
    const int index = static_cast<int>(elements.size()) - 1;
    claim(index, node);
    return index;
}

void Grouping::claim(int index, int node) {
    owner_[at(node)] = index;
    MapElement& e = elements[at(index)];
    e.nodes.push_back(node);
    if (on_path_[at(node)]) e.main = std::max(e.main, node);
}

int Grouping::only_reader(int node) const { return readers_[at(node)].size() == 1 ? readers_[at(node)][0] : -1; }

// From an operand of attention back over its reshaping to its linear map, where it has one.
int Grouping::claim_projection(int index, int node) {
    while (op(node) == "reshape" && owner_[at(node)] < 0) {
        claim(index, node);
        node = graph_[node].inputs[0];
    }
    if (op(node) == "linear" && owner_[at(node)] < 0) claim(index, node);
    return node;
}

void Grouping::claim_attention(int scores) {
    const int index = open(MapKind::attention, scores);
    const Shape& shape = graph_[scores].shape;
    elements[at(index)].heads = shape.rank() >= 3 ? static_cast<int>(shape.back(2)) : 1;
    for (const int operand : graph_[scores].inputs) claim_projection(index, operand);
    for (int node = only_reader(scores); node >= 0 && owner_[at(node)] < 0; node = only_reader(node)) {
        const std::string_view name = op(node);
        if (name == "linear") {  // W_O, unless it is the first map of an MLP
            const int next = only_reader(node);
            if (next < 0 || !is_activation(op(next))) claim(index, node);
            return;
        }
        if (name != "scale" && name != "mask" && name != "softmax" && name != "attention_mix" && name != "reshape")
            return;
        claim(index, node);
        if (name == "softmax") elements[at(index)].pattern = node;
        if (name == "attention_mix") claim_projection(index, graph_[node].inputs[1]);
    }
}

void Grouping::claim_mlp(int activation) {
    const int before = graph_[activation].inputs[0], after = only_reader(activation);
    const bool widens = op(before) == "linear" && owner_[at(before)] < 0;
    const bool narrows = after >= 0 && op(after) == "linear" && owner_[at(after)] < 0;
    if (!widens && !narrows) return;
    const int index = open(MapKind::mlp, activation);
    if (widens) claim(index, before);
    if (narrows) claim(index, after);
}

// mean → scale → normalize → affine: each later stage names the stage that it continues.
void Grouping::claim_layer_norm(int node) {
    const std::vector<int>& inputs = graph_[node].inputs;
    const std::string_view name = op(node);
    const std::size_t stage = name == "layer_norm_affine" ? 0 : 1;
    const bool continues = name != "layer_norm_mean" && stage < inputs.size();
    if (continues && op(inputs[stage]).starts_with("layer_norm_"))
        claim(owner_[at(inputs[stage])], node);
    else
        open(MapKind::layer_norm, node);
}

/// Whether `to` is computed from `from`. Ids are in topological order, so that only the nodes between are looked at.
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

// The residual stream is what a branch left and comes back to. −1 when neither is.
int Grouping::stream_input(int a, int b) const {
    if (stream_[at(a)] && stream_[at(b)]) return std::max(a, b);
    if (stream_[at(a)] || leads_to(a, b)) return a;
    if (stream_[at(b)] || leads_to(b, a)) return b;
    return -1;
}

void Grouping::merge_embeddings(int a, int b, int sum) {
    const int keep = owner_[at(a)], gone = owner_[at(b)];
    if (keep != gone) {
        for (const int node : elements[at(gone)].nodes) claim(keep, node);
        elements[at(gone)] = {};
    }
    claim(keep, sum);
}

void Grouping::claim_add(int node) {
    const int a = graph_[node].inputs[0], b = graph_[node].inputs[1];
    if (is_embedding(a) && is_embedding(b)) return merge_embeddings(a, b, node);
    for (const auto& [value, other] : {std::pair(a, b), std::pair(b, a)})  // a bias belongs to what it is added to
        if (is_parameter(other) && owner_[at(value)] >= 0) return claim(owner_[at(value)], node);
    const int stream = is_op(a) && is_op(b) && a != b ? stream_input(a, b) : -1;
    if (stream >= 0) stream_[at(stream)] = stream_[at(node)] = true;
    open(stream >= 0 ? MapKind::residual_add : MapKind::sum, node);
}

void Grouping::claim_rest(int node) {
    const std::string_view name = op(node);
    const int reader = only_reader(node);
    const bool last =
        readers_[at(node)].empty() || (reader >= 0 && op(reader) == "softmax" && readers_[at(reader)].empty());
    const int source = graph_[node].inputs.empty() ? -1 : graph_[node].inputs[0];
    if (name == "embed" || name == "pos_embed")
        open(MapKind::embed, node);
    else if (name == "add")
        claim_add(node);
    else if (name == "reshape" && source >= 0 && owner_[at(source)] >= 0 && !stream_[at(source)])
        claim(owner_[at(source)], node);
    else if (name == "matmul_transposed" || (name == "linear" && last))
        open(MapKind::unembed, node);
    else if (name == "linear")
        open(MapKind::linear, node);
    else if (name == "softmax")
        open(MapKind::softmax, node);
    else
        open(MapKind::other, node);
}

// hook_result is made of one attention's numbers: pointing at it points there. The loss belongs to no element.
void Grouping::claim_side_nodes() {
    for (int node = 0; node < static_cast<int>(count()); ++node) {
        if (!is_op(node) || on_path_[at(node)] || op(node) == "cross_entropy") continue;
        for (const int input : graph_[node].inputs)
            if (is_op(input) && owner_[at(input)] >= 0 && owner_[at(node)] < 0) claim(owner_[at(input)], node);
    }
}

// Parameters belong to the element that reads them first, inputs to the only one that reads them.
void Grouping::claim_sources() {
    for (int node = 0; node < static_cast<int>(count()); ++node) {
        if (is_op(node) || readers_[at(node)].empty()) continue;
        const int first = owner_[at(readers_[at(node)].front())];
        const bool one = std::ranges::all_of(readers_[at(node)], [&](int r) { return owner_[at(r)] == first; });
        if (!one && !is_parameter(node)) continue;
        if (first < 0) continue;
        owner_[at(node)] = first;
        MapElement& e = elements[at(first)];
        e.nodes.push_back(node);
        if (!is_parameter(node)) continue;
        e.parameters += graph_[node].shape.elements();
        for (const int r : readers_[at(node)])
            if (owner_[at(r)] != first && owner_[at(r)] >= 0) elements[at(owner_[at(r)])].shared = graph_[node].name;
    }
}

void Grouping::run() {
    find_path();
    const auto each = [&](auto&& wanted, auto&& claim_it) {
        for (int node = 0; node < static_cast<int>(count()); ++node)
            if (is_op(node) && on_path_[at(node)] && owner_[at(node)] < 0 && wanted(op(node))) claim_it(node);
    };
    each([](std::string_view o) { return o == "attention_scores"; }, [&](int n) { claim_attention(n); });
    each(is_activation, [&](int n) { claim_mlp(n); });
    each([](std::string_view o) { return o.starts_with("layer_norm_"); }, [&](int n) { claim_layer_norm(n); });
    each([](std::string_view) { return true; }, [&](int n) { claim_rest(n); });
    claim_side_nodes();
    claim_sources();
}

/// L of "blocks.L. …", or −1.
int block_of(std::string_view name) {
    constexpr std::string_view prefix = "blocks.";
    if (!name.starts_with(prefix)) return -1;
    int block = 0;
    std::size_t i = prefix.size();
    for (; i < name.size() && std::isdigit(static_cast<unsigned char>(name[i])) && block < 1000000; ++i)
        block = 10 * block + (name[i] - '0');
    return i > prefix.size() && i < name.size() && name[i] == '.' ? block : -1;
}

/// "9 × 64": the sizes after the batch axis.
std::string sizes(const Shape& shape) {
    std::string text;
    for (int axis = shape.rank() > 2 ? 1 : 0; axis < shape.rank(); ++axis)
        text += (text.empty() ? "" : " × ") + std::to_string(shape[axis]);
    return text;
}

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return result;
}

std::string spaced(std::string_view text) {
    std::string result(text);
    std::ranges::replace(result, '_', ' ');
    return result;
}

/// Wires the elements, places them in blocks and gives them words.
class Describing {
public:
    Describing(const Graph& graph, const Grouping& grouping, ModelMap& map)
        : graph_(graph), grouping_(grouping), map_(map) {}

    void run() {
        for (MapElement& e : map_.elements) wire(e);
        for (MapElement& e : map_.elements) place(e);
        for (std::size_t i = 0; i < map_.elements.size(); ++i) describe(i);
    }

private:
    void wire(MapElement& e) const;
    void place(MapElement& e) const;
    void describe(std::size_t index) const;
    void describe_embed(MapElement& e) const;
    void describe_attention(MapElement& e) const;
    void describe_mlp(MapElement& e) const;
    std::string short_label(std::size_t index) const;
    int before(std::size_t index, MapKind kind) const;
    bool after_all_blocks(std::size_t index) const;
    std::string_view op(int node) const { return graph_[node].op ? graph_[node].op->name() : std::string_view(); }

    const Graph& graph_;
    const Grouping& grouping_;
    ModelMap& map_;
};

void Describing::wire(MapElement& e) const {
    const int self = map_.element_of[at(e.main)];
    e.on_stream = e.kind != MapKind::residual_add && grouping_.on_stream(e.main);
    for (const int node : e.nodes) {
        if (node > e.main) continue;
        for (const int input : graph_[node].inputs) {
            const int from = map_.element_of[at(input)];
            if (from < 0 || from == self || graph_[input].kind != NodeInfo::Kind::op) continue;
            if (grouping_.on_stream(input))
                e.reads_stream = true;
            else if (std::ranges::find(e.reads, from) == e.reads.end())
                e.reads.push_back(from);
            if (e.shapes.empty()) e.shapes = sizes(graph_[input].shape) + " → ";
        }
    }
    e.shapes += sizes(graph_[e.main].shape);
}

// By the names of its own ops; an unnamed add by those of the branch that it adds. The embedding may carry the name of
// the stream that it starts, and still stands outside.
void Describing::place(MapElement& e) const {
    if (e.kind == MapKind::embed) return;
    for (const int node : e.nodes)
        if (graph_[node].kind == NodeInfo::Kind::op) e.block = std::max(e.block, block_of(graph_[node].name));
    for (const int branch : e.reads)
        if (e.kind == MapKind::residual_add || e.kind == MapKind::sum)
            e.block = std::max(e.block, map_.elements[at(branch)].block);
}

int Describing::before(std::size_t index, MapKind kind) const {
    int found = 0;
    for (std::size_t i = 0; i < index; ++i)
        found += map_.elements[i].kind == kind && map_.elements[i].block == map_.elements[index].block;
    return found;
}

bool Describing::after_all_blocks(std::size_t index) const {
    const auto in_block = [](const MapElement& e) {
        return e.block >= 0 || e.kind == MapKind::attention || e.kind == MapKind::mlp;
    };
    return index > 0 &&
           std::none_of(map_.elements.begin() + static_cast<std::ptrdiff_t>(index), map_.elements.end(), in_block);
}

std::string Describing::short_label(std::size_t index) const {
    const MapElement& e = map_.elements[index];
    const int nth = before(index, e.kind);
    const auto numbered = [&](std::string name) { return nth == 0 ? name : name + " " + std::to_string(nth + 1); };
    switch (e.kind) {
        case MapKind::embed:
            return numbered("embed");
        case MapKind::layer_norm:
            if (e.block >= 0) return "ln" + std::to_string(nth + 1);
            return after_all_blocks(index) ? "ln_final" : numbered("ln");
        case MapKind::attention:
            return numbered("attn");
        case MapKind::mlp:
            return numbered("mlp");
        case MapKind::residual_add:
            return "add " + std::to_string(nth);
        case MapKind::sum:
            return numbered("sum");
        case MapKind::linear:
            return numbered("linear");
        case MapKind::unembed:
            return numbered("unembed");
        case MapKind::softmax:
            return numbered("softmax");
        case MapKind::other:
            break;
    }
    return numbered(std::string(op(e.main)));
}

void Describing::describe_embed(MapElement& e) const {
    bool token = false, position = false;
    for (const int node : e.nodes) {
        token |= op(node) == "embed";
        position |= op(node) == "pos_embed";
        if (op(node) == "add")  // a learned table, added as it is
            for (const int input : graph_[node].inputs) position |= graph_[input].kind == NodeInfo::Kind::parameter;
    }
    e.title = token && position ? "token + position" : token ? "token embedding" : "position";
    e.detail = sizes(graph_[e.main].shape);
}

void Describing::describe_attention(MapElement& e) const {
    e.title = "attention";
    for (const int node : e.nodes)
        if (op(node) == "attention_scores")
            e.detail = std::to_string(e.heads) + " × " + std::to_string(graph_[graph_[node].inputs[0]].shape.back());
}

void Describing::describe_mlp(MapElement& e) const {
    for (const int node : e.nodes) {
        if (!is_activation(op(node))) continue;
        e.title = "MLP · " + upper(op(node));
        e.detail = std::to_string(graph_[node].shape.back());
    }
}

void Describing::describe(std::size_t index) const {
    MapElement& e = map_.elements[index];
    const Shape& shape = graph_[e.main].shape;
    const std::string width = shape.rank() > 0 ? std::to_string(shape.back()) : "";
    switch (e.kind) {
        case MapKind::embed:
            describe_embed(e);
            break;
        case MapKind::layer_norm:
            e.title = e.block < 0 && after_all_blocks(index) ? "final LayerNorm" : "LayerNorm";
            e.detail = "μ σ";
            break;
        case MapKind::attention:
            describe_attention(e);
            break;
        case MapKind::mlp:
            describe_mlp(e);
            break;
        case MapKind::residual_add:
            e.title = "residual add";
            break;
        case MapKind::sum:
            e.title = "sum", e.detail = width;
            break;
        case MapKind::linear:
            e.title = "linear", e.detail = width;
            break;
        case MapKind::unembed:
            e.title = e.shared.empty() ? "unembed" : "unembed (tied)", e.detail = width;
            break;
        case MapKind::softmax: {
            const bool words = e.reads.size() == 1 && map_.elements[at(e.reads[0])].kind == MapKind::unembed;
            e.title = words ? "softmax → words" : "softmax";
            break;
        }
        case MapKind::other:
            e.title = spaced(op(e.main)), e.detail = width;
            break;
    }
    e.label = (e.block >= 0 ? std::to_string(e.block) + "/" : "") + short_label(index);
}

}  // namespace

const MapElement* ModelMap::holding(int node) const {
    if (node < 0 || at(node) >= element_of.size() || element_of[at(node)] < 0) return nullptr;
    return &elements[at(element_of[at(node)])];
}

const MapElement* ModelMap::find(std::string_view label) const {
    const auto found = std::ranges::find(elements, label, &MapElement::label);
    return found == elements.end() ? nullptr : &*found;
}

ModelMap make_model_map(const Graph& graph) {
    Grouping grouping(graph);
    grouping.run();
    ModelMap map;
    map.has_stream = grouping.any_stream();
    map.element_of.assign(graph.nodes().size(), -1);
    for (MapElement& e : grouping.elements)
        if (e.main >= 0) map.elements.push_back(std::move(e));
    // What an element reads was finished before it: the order of the results is an order of execution.
    std::ranges::sort(map.elements, {}, &MapElement::main);
    for (std::size_t i = 0; i < map.elements.size(); ++i) {
        std::ranges::sort(map.elements[i].nodes);
        for (const int node : map.elements[i].nodes) map.element_of[at(node)] = static_cast<int>(i);
    }
    Describing(graph, grouping, map).run();
    return map;
}

std::string_view map_meaning(MapKind kind) {
    switch (kind) {
        case MapKind::embed:
            return "Each word becomes a row of numbers, looked up in a table the model learned.";
        case MapKind::layer_norm:
            return "Each word's numbers are shifted to mean 0 and scaled to spread 1, then stretched by learned "
                   "factors.";
        case MapKind::attention:
            return "Each word looks at the others and takes something from those that matter to it.";
        case MapKind::mlp:
            return "Each word on its own goes through a small network of two layers.";
        case MapKind::residual_add:
            return "The result is added to what was there; nothing is overwritten.";
        case MapKind::sum:
            return "Two results are added up.";
        case MapKind::linear:
            return "Every output number is a weighted sum of the input numbers.";
        case MapKind::unembed:
            return "Each word's numbers are compared with every word of the vocabulary: one score a word.";
        case MapKind::softmax:
            return "Scores become probabilities that add up to 1.";
        case MapKind::other:
            break;
    }
    return "One step of the model.";
}

}  // namespace glassformer::app
