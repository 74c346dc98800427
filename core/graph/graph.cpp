#include "core/graph/graph.h"

#include "core/base/error.h"
#include "core/base/rng.h"

namespace glassformer {

Node Node::named(const std::string& name) const {
    graph->rename(id, name);
    return *this;
}

const Shape& Node::shape() const { return (*graph)[id].shape; }

Node Graph::input(const std::string& name, const Shape& shape) {
    NodeInfo info;
    info.kind = NodeInfo::Kind::input;
    info.name = name;
    info.shape = shape;
    return {this, push(std::move(info))};
}

Node Graph::parameter(const std::string& name, const Shape& shape, const Init& init) {
    NodeInfo info;
    info.kind = NodeInfo::Kind::parameter;
    info.name = name;
    info.shape = shape;
    info.init = init;
    info.offset = parameter_count_;
    parameter_count_ += shape.elements();
    const int id = push(std::move(info));
    parameters_.push_back(id);
    return {this, id};
}

Node Graph::apply(OpPtr op, std::span<const Node> inputs) {
    NodeInfo info;
    std::vector<Shape> shapes;
    for (const Node& node : inputs) {
        info.inputs.push_back(node.id);
        shapes.push_back(node.shape());
    }
    info.shape = op->infer_shape(shapes);
    info.name = std::string(op->name()) + "#" + std::to_string(nodes_.size());
    info.op = std::move(op);
    return {this, push(std::move(info))};
}

int Graph::push(NodeInfo info) {
    const int id = static_cast<int>(nodes_.size());
    if (!by_name_.emplace(info.name, id).second) throw Error("the graph already has a node called {1}", info.name);
    nodes_.push_back(std::move(info));
    return id;
}

void Graph::rename(int id, const std::string& name) {
    if (!by_name_.emplace(name, id).second) throw Error("the graph already has a node called {1}", name);
    NodeInfo& info = nodes_[id];
    by_name_.erase(info.name);
    info.name = name;
}

void Graph::alias(int id, const std::string& name) {
    if (!by_name_.emplace(name, id).second) throw Error("the graph already has a node called {1}", name);
    aliases_.emplace_back(name, id);
}

std::shared_ptr<Graph> Graph::copy() const { return std::shared_ptr<Graph>(new Graph(*this)); }

void Graph::replace(int id, OpPtr op, std::vector<int> inputs) {
    std::vector<Shape> shapes;
    for (const int input : inputs) {
        if (input >= id) throw Error("{1} cannot be computed from a node that comes after it", (*this)[id].name);
        shapes.push_back((*this)[input].shape);
    }
    NodeInfo& info = nodes_[id];
    info.shape = op->infer_shape(shapes);
    info.op = std::move(op);
    info.inputs = std::move(inputs);
}

std::optional<int> Graph::find(std::string_view name) const {
    const auto found = by_name_.find(std::string(name));
    if (found == by_name_.end()) return std::nullopt;
    return found->second;
}

int Graph::at(std::string_view name) const {
    const std::optional<int> id = find(name);
    if (!id) throw Error("the model has nothing called {1}", name);
    return *id;
}

std::vector<float> initial_parameters(const Graph& graph, std::uint64_t seed, const std::function<void()>& between) {
    constexpr std::int64_t million = 1 << 20;
    std::vector<float> values(static_cast<std::size_t>(graph.parameter_count()));
    std::uint64_t stream = 0;
    for (const int id : graph.parameters()) {
        const NodeInfo& info = graph[id];
        Rng rng(seed, stream++);
        for (std::int64_t i = 0; i < info.shape.elements(); ++i) {
            if (between && (info.offset + i) % million == 0) between();
            const double noise = info.init.std > 0.0f ? rng.normal() * static_cast<double>(info.init.std) : 0.0;
            values[info.offset + i] = static_cast<float>(static_cast<double>(info.init.mean) + noise);
        }
    }
    return values;
}

}  // namespace glassformer
