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

/// A handle to a node of a graph under construction; cheap to copy, valid as long as the graph.
struct Node {
    Graph* graph = nullptr;
    int id = -1;

    /// Gives the node its standard name and returns it, so that a layer can name nodes while it builds.
    Node named(const std::string& name) const;
    const Shape& shape() const;
};

/// How a parameter is initialised: every cell from N(mean, std).
struct Init {
    float mean = 0.0f;
    float std = 0.0f;
};

/// The data of one node. Ids are in topological order: a node's inputs have smaller ids.
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
    /// Parameters are stored consecutively in one flat vector, in the order of declaration.
    Node parameter(const std::string& name, const Shape& shape, const Init& init);
    /// Throws Error if the op rejects the shapes.
    Node apply(OpPtr op, std::initializer_list<Node> inputs) {
        return apply(std::move(op), std::span<const Node>(inputs.begin(), inputs.size()));
    }
    Node apply(OpPtr op, std::span<const Node> inputs);

    const std::vector<NodeInfo>& nodes() const { return nodes_; }
    const NodeInfo& operator[](int id) const { return nodes_[id]; }
    /// The role of a node's op in a model; OpRole::other for an input or a parameter.
    OpRole role(int id) const { return (*this)[id].op ? (*this)[id].op->traits().role : OpRole::other; }
    /// The node with this name, if there is one.
    std::optional<int> find(std::string_view name) const;
    /// The node with this name; throws Error naming it if there is none.
    int at(std::string_view name) const;
    std::int64_t parameter_count() const { return parameter_count_; }
    /// Ids of the parameters in their flat order.
    const std::vector<int>& parameters() const { return parameters_; }

    /// Renames a node; throws Error if the name is taken.
    void rename(int id, const std::string& name);
    /// Gives a node a second name, where the field uses two for one value (the stream that leaves one block and enters
    /// the next).
    void alias(int id, const std::string& name);
    const std::vector<std::pair<std::string, int>>& aliases() const { return aliases_; }

    /// A copy with the same ids and names, for a backend that computes some nodes differently.
    std::shared_ptr<Graph> copy() const;
    /// Replaces a node's op and inputs; the inputs must come before the node. The shape may change only if every reader
    /// is replaced too: readers are not checked again.
    void replace(int id, OpPtr op, std::vector<int> inputs);

private:
    Graph(const Graph&) = default;  // for copy() only: Node handles point to the original

    int push(NodeInfo info);

    std::vector<NodeInfo> nodes_;
    std::vector<int> parameters_;
    std::unordered_map<std::string, int> by_name_;
    std::vector<std::pair<std::string, int>> aliases_;
    std::int64_t parameter_count_ = 0;
};

/// Fresh parameters, drawn from each node's Init. Parameter i uses the stream Rng(seed, i), so appending a parameter
/// leaves the others unchanged. `between` is called every million cells and may throw to cancel.
std::vector<float> initial_parameters(const Graph& graph, std::uint64_t seed,
                                      const std::function<void()>& between = {});

}  // namespace glassformer
