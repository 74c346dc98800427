#include "app/common/model_map_elements.h"

#include <algorithm>

#include "app/language/tr.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// "9 × 64": the sizes after the batch axis.
std::string sizes(const Shape& shape) {
    std::string text;
    for (int axis = shape.rank() > 2 ? 1 : 0; axis < shape.rank(); ++axis)
        text += (text.empty() ? "" : " × ") + grouped(shape[axis]);
    return text;
}

std::string spaced(std::string_view text) {
    std::string result(text);
    std::ranges::replace(result, '_', ' ');
    return result;
}

/// Fills in the elements' texts.
class Describing {
public:
    Describing(const Graph& graph, ModelMap& map, std::string_view tokens)
        : graph_(graph), map_(map), tokens_(tokens) {}

    void run() {
        for (std::size_t i = 0; i < map_.elements.size(); ++i) describe(i);
    }

private:
    void describe(std::size_t index) const;
    void describe_embed(MapElement& e) const;
    void describe_attention(MapElement& e) const;
    std::string norm_name(const MapElement& e) const;
    bool is_centred(const MapElement& e) const;
    std::string activation_name(const MapElement& e) const;
    void describe_mlp(MapElement& e) const;
    std::string short_label(std::size_t index) const;
    int before(std::size_t index, PartKind kind) const;
    bool after_all_blocks(std::size_t index) const;
    std::string op(int node) const { return std::string(graph_[node].op ? graph_[node].op->name() : ""); }

    const Graph& graph_;
    ModelMap& map_;
    std::string tokens_;
};

int Describing::before(std::size_t index, PartKind kind) const {
    int found = 0;
    for (std::size_t i = 0; i < index; ++i)
        found += map_.elements[i].kind == kind && map_.elements[i].block == map_.elements[index].block;
    return found;
}

bool Describing::after_all_blocks(std::size_t index) const {
    const auto in_block = [](const MapElement& e) {
        return e.block >= 0 || e.kind == PartKind::attention || e.kind == PartKind::mlp;
    };
    return index > 0 &&
           std::none_of(map_.elements.begin() + static_cast<std::ptrdiff_t>(index), map_.elements.end(), in_block);
}

std::string Describing::short_label(std::size_t index) const {
    const MapElement& e = map_.elements[index];
    const int nth = before(index, e.kind);
    const auto numbered = [&](const std::string& name) {
        return nth == 0 ? name : name + " " + std::to_string(nth + 1);
    };
    switch (e.kind) {
        case PartKind::embed:
            return numbered("embed");
        case PartKind::layer_norm:
            if (e.block >= 0) return "ln" + std::to_string(nth + 1);
            return after_all_blocks(index) ? "ln_final" : numbered("ln");
        case PartKind::attention:
            return numbered("attn");
        case PartKind::mlp:
            return numbered("mlp");
        case PartKind::recurrent:
            return numbered("rnn");
        case PartKind::residual_add:
            return "add " + std::to_string(nth);
        case PartKind::sum:
            return numbered("sum");
        case PartKind::linear:
            return numbered("linear");
        case PartKind::pooler:
            return numbered("pooler");
        case PartKind::unembed:
            return numbered("unembed");
        case PartKind::softmax:
            return numbered("softmax");
        case PartKind::other:
            break;
    }
    return numbered(op(e.main));
}

void Describing::describe_embed(MapElement& e) const {
    bool token = false, position = false, values = false;
    for (const int node : e.nodes) {
        const OpRole role = graph_.role(node);
        token |= role == OpRole::token_embedding;
        position |= role == OpRole::position_embedding;
        values |= role == OpRole::linear && graph_[graph_[node].inputs[0]].kind == NodeInfo::Kind::input;
        if (role == OpRole::add)  // a learned table, added as it is
            for (const int input : graph_[node].inputs) position |= graph_[input].kind == NodeInfo::Kind::parameter;
    }
    const std::string what = values ? tr("values") : token ? tr("token") : "";
    if (what.empty())
        e.title = tr("position");
    else
        e.title = what + (position ? tr(" + position") : tr(" embedding"));
    e.detail = sizes(graph_[e.main].shape);
}

void Describing::describe_attention(MapElement& e) const {
    e.title = tr("attention");
    for (const int node : e.nodes)
        if (graph_.role(node) == OpRole::attention_scores)
            e.detail = std::to_string(e.heads) + " × " + std::to_string(graph_[graph_[node].inputs[0]].shape.back());
}

/// All kinds of norm end with the same op: those before it tell the kind.
std::string Describing::norm_name(const MapElement& e) const {
    for (const int node : e.nodes) {
        if (!graph_[node].op) continue;
        if (const std::string_view family = graph_[node].op->traits().family; !family.empty())
            return tr(std::string(family));
    }
    return tr("norm");
}

/// True if a mean is subtracted: the op then reads x, the mean and the scale.
bool Describing::is_centred(const MapElement& e) const {
    return std::ranges::any_of(e.nodes, [&](int node) {
        return graph_.role(node) == OpRole::norm_normalize && graph_[node].inputs.size() > 2;
    });
}

/// "GELU"; empty if there is none.
std::string Describing::activation_name(const MapElement& e) const {
    for (const int node : e.nodes) {
        if (graph_.role(node) != OpRole::activation) continue;
        const OpTraits traits = graph_[node].op->traits();
        return tr(std::string(traits.family.empty() ? traits.title : traits.family));
    }
    return {};
}

void Describing::describe_mlp(MapElement& e) const {
    e.title = filled(tr("MLP · {1}"), {activation_name(e)});
    for (const int node : e.nodes)
        if (graph_.role(node) == OpRole::activation) e.detail = std::to_string(graph_[node].shape.back());
}

void Describing::describe(std::size_t index) const {
    MapElement& e = map_.elements[index];
    const Shape& shape = graph_[e.main].shape;
    const std::string width = shape.rank() > 0 ? std::to_string(shape.back()) : "";
    switch (e.kind) {
        case PartKind::embed:
            describe_embed(e);
            break;
        case PartKind::layer_norm:
            e.title = e.block < 0 && after_all_blocks(index) ? filled(tr("final {1}"), {norm_name(e)}) : norm_name(e);
            e.detail = is_centred(e) ? "μ σ" : "σ";
            break;
        case PartKind::recurrent:
            e.title = tr("recurrent layer"), e.detail = width;
            break;
        case PartKind::attention:
            describe_attention(e);
            break;
        case PartKind::mlp:
            describe_mlp(e);
            break;
        case PartKind::residual_add:
            e.title = tr("residual add");
            break;
        case PartKind::sum:
            e.title = tr("sum"), e.detail = width;
            break;
        case PartKind::linear:
            e.title = tr("linear"), e.detail = width;
            if (const std::string after = activation_name(e); !after.empty())
                e.title = filled(tr("linear · {1}"), {after});
            break;
        case PartKind::pooler:
            e.title = tr("pooler"), e.detail = width;
            break;
        case PartKind::unembed:
            e.title = e.shared.empty() ? tr("unembed") : tr("unembed (tied)"), e.detail = width;
            break;
        case PartKind::softmax: {
            const bool words =
                shape.rank() == 3 && e.reads.size() == 1 && map_.elements[at(e.reads[0])].kind == PartKind::unembed;
            e.title = words ? filled(tr("softmax → {1}"), {tokens_}) : tr("softmax");
            break;
        }
        case PartKind::other:
            e.title = tr(spaced(op(e.main))), e.detail = width;
            break;
    }
    e.shapes = (e.source >= 0 ? sizes(graph_[e.source].shape) + " → " : "") + sizes(shape);
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

ModelMap make_model_map(const Graph& graph, std::string_view tokens) {
    GraphParts found = find_parts(graph);
    ModelMap map;
    map.has_stream = found.has_stream;
    map.element_of = std::move(found.part_of);
    for (GraphPart& part : found.parts) map.elements.push_back({std::move(part), {}, {}, {}, {}});
    Describing(graph, map, tokens).run();
    return map;
}

}  // namespace glassformer::app
