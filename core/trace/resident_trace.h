#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace glassformer {

/// Values of a trace that are also on the graphics card, where a compute shader left them, in a buffer that the
/// window's context shares.
class ResidentTrace {
public:
    /// The values start at cell `first`; buffer 0: the node is not there.
    struct Place {
        unsigned buffer = 0;
        std::int64_t first = 0;
        explicit operator bool() const { return buffer != 0; }
    };
    struct Node {
        Place values;
        int scores = -1;  // for a pattern: the node of its scores
    };

    /// `memory` is kept alive as long as this object.
    ResidentTrace(std::vector<Node> nodes, std::shared_ptr<const void> memory)
        : nodes_(std::move(nodes)), memory_(std::move(memory)) {}

    Place values(int node) const { return known(node) ? nodes_[node].values : Place{}; }
    /// The scores for a pattern's cells: −∞ where attention is masked.
    Place scores_of(int node) const { return known(node) ? values(nodes_[node].scores) : Place{}; }

private:
    bool known(int node) const { return node >= 0 && static_cast<std::size_t>(node) < nodes_.size(); }

    std::vector<Node> nodes_;
    std::shared_ptr<const void> memory_;
};

}  // namespace glassformer
