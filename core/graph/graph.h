#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace glassformer {

class Graph;

/// A handle to one node of a graph under construction; cheap to copy, valid as long as the graph.
struct Node {
    Graph* graph = nullptr;
    int id = -1;

    /// Gives the node its standard name and returns it, so that a layer's code can name as it builds.
    Node named(const std::string& name) const;
    const Shape& shape() const;
};

/// How a parameter starts: every cell from N(mean, std).
struct Init {
    float mean = 0.0f;
    float std = 0.0f;
};

/// What is known of one node. Ids are in topological order: a node's inputs have smaller ids.
struct NodeInfo {
    enum class Kind { input, parameter, op };
    Kind kind = Kind::op;
    std::string name;
    Shape shape;
    OpPtr op;                 // ops only
    std::vector<int> inputs;  // ops only
    std::int64_t offset = 0;  // parameters only: cells before it in the flat parameter vector
    Init init;                // parameters only
};

/// A model, declared once as named ops over inputs and parameters. The same graph is run, traced, explained and drawn.
/// Immutable once built (builders fill it, everyone else holds `shared_ptr<const Graph>`).
class Graph {
public:
    Graph() = default;
    Graph& operator=(const Graph&) = delete;

    Node input(const std::string& name, const Shape& shape);
    /// Parameters lie one after the other, in the order of declaration, in one flat vector.
    Node parameter(const std::string& name, const Shape& shape, const Init& init);
    /// Throws Error when the op refuses the shapes.
    Node apply(OpPtr op, std::initializer_list<Node> inputs) {
        return apply(std::move(op), std::span<const Node>(inputs.begin(), inputs.size()));
    }
    Node apply(OpPtr op, std::span<const Node> inputs);

    const std::vector<NodeInfo>& nodes() const { return nodes_; }
    const NodeInfo& operator[](int id) const { return nodes_[id]; }
    /// What the op of a node does in a model; OpRole::other for an input or a parameter.
    OpRole role(int id) const { return (*this)[id].op ? (*this)[id].op->traits().role : OpRole::other; }
    /// The node of that name, if there is one.
    std::optional<int> find(std::string_view name) const;
    /// The node of that name; throws Error naming it when there is none.
    int at(std::string_view name) const;
    std::int64_t parameter_count() const { return parameter_count_; }
    /// Ids of the parameters in their flat order.
    const std::vector<int>& parameters() const { return parameters_; }

    /// Gives a node another name; throws Error when that is taken.
    void rename(int id, const std::string& name);
    /// A second name for a node, where the field has two for one value (the stream that one block leaves and the next
    /// one takes).
    void alias(int id, const std::string& name);
    const std::vector<std::pair<std::string, int>>& aliases() const { return aliases_; }

    /// The same graph once more, for a backend that computes some nodes in another way: with the same ids and names.
    std::shared_ptr<Graph> copy() const;
    /// Has a node computed by another op from nodes before it. The shape may change where nobody reads the node who is
    /// not replaced too: its readers are not asked again whether it suits them.
    void replace(int id, OpPtr op, std::vector<int> inputs);

private:
    Graph(const Graph&) = default;  // copy() alone: the handles of whoever builds a graph point to that one

    int push(NodeInfo info);

    std::vector<NodeInfo> nodes_;
    std::vector<int> parameters_;
    std::unordered_map<std::string, int> by_name_;
    std::vector<std::pair<std::string, int>> aliases_;
    std::int64_t parameter_count_ = 0;
};

/// Fresh parameters: each node's cells from its Init. The stream of parameter i is Rng(seed, i), so adding a parameter
/// at the end leaves the others as they were. `between` is called every million cells; it ends this by throwing.
std::vector<float> initial_parameters(const Graph& graph, std::uint64_t seed,
                                      const std::function<void()>& between = {});

}  // namespace glassformer
