#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/graph/graph.h"
#include "core/graph/parameters.h"
#include "core/nn/transformer.h"

namespace glassformer {

/// The parts of a node that can be looked at on their own lie along its first axis after the batch: rows of positions,
/// heads of scores, rows of a parameter. A slice is some of them, side by side in memory.
struct Slices {
    std::int64_t first = 0, count = 0;
    bool operator==(const Slices&) const = default;
};

/// How many slices a node has, and the cells of each; a scalar has one.
struct SliceAxis {
    std::int64_t count = 1, width = 1;
    SliceAxis(const Graph& graph, int node);

    Slices all() const { return {0, count}; }
    /// The smallest slice that holds these cells.
    Slices around(std::int64_t offset, std::int64_t cells = 1) const {
        return {offset / width, (offset + cells - 1) / width - offset / width + 1};
    }
};

/// The node whose memory a view shares; any other node is its own root.
int root_of(const Graph& graph, int node);

/// The cells of a run that interventions set, so that no explanation claims that the model computed them. A view and
/// its root are one memory: cells that are set through one are set in the other.
class OverwrittenCells {
public:
    OverwrittenCells() = default;
    /// The interventions must be such as Execution::intervene() takes. Throws Error where the values that are read
    /// when the run is over would no longer be the ones that other cells were made of: a recurrent layer's states (each
    /// made from the one before it, as it was), or a view whose memory another op has read before.
    OverwrittenCells(const Graph& graph, std::span<const Intervention> interventions);

    /// Cell `offset` (row-major, with the batch axis) of a root.
    bool contains(int root, std::int64_t offset) const;
    /// Whether any cell of a root was set.
    bool any(int root) const { return by_root_.contains(root); }
    bool empty() const { return by_root_.empty(); }

private:
    std::map<int, std::vector<Intervention::Range>> by_root_;
};

/// What a trace may hold, in bytes.
struct TraceMemory {
    std::int64_t kept = std::int64_t{192} << 20;  // of what the run of the model leaves behind
    std::int64_t parts = std::int64_t{96} << 20;  // of what was looked at last and had not been left behind
};

/// Which of the ops that lead to an answer a run keeps: all, when they fit into the budget. Otherwise those that cannot
/// be made a run at a time (attention's mix z), the sums along the residual stream, single numbers of positions, and
/// the products that heads are made of (queries, keys and values); these are kept whatever they take. What is left of
/// the budget goes to the matrix products, those with the most multiply-adds per cell first; what is made cell by cell
/// (norms, activations, softmax) is always made again.
std::vector<int> select_saved_activations(const Graph& graph, const std::vector<int>& leading_to_answer,
                                          std::int64_t budget);

class Recompute;

/// One number of a trace: cell `offset` (row-major) of node `node`.
struct Cell {
    int node = -1;
    std::int64_t offset = 0;
    bool operator==(const Cell&) const = default;
};

/// How a number came from others; OpExplanation with the operands found in the graph.
struct Explanation {
    struct Operand {
        Cell cell;
        double value = 0.0;
    };
    struct Term {
        std::vector<Operand> operands;
        double contribution = 0.0;
    };
    Cell cell;
    double traced = 0.0;       // the model's float32
    double recomputed = 0.0;   // from the operands, in double
    bool overwritten = false;  // set by an intervention: `traced` is what was set, and no op made it
    std::string op;            // empty for an input, a parameter or an overwritten cell: nothing made it
    std::string title;         // what the op is called in a sentence
    OpTraits traits = {};
    std::string formula, numbers, terms_title;
    TermReading reading = {};
    std::vector<Term> terms;
};

/// Some slices of a node (see Slices), which stay where they are as long as this lives.
class SliceView {
public:
    SliceView() = default;
    SliceView(std::span<const float> values, std::int64_t first, std::shared_ptr<const void> owner)
        : values_(values), first_(first), owner_(std::move(owner)) {}

    std::span<const float> values() const { return values_; }
    /// The offset in the node of the first of the values.
    std::int64_t first() const { return first_; }
    /// The cell at an offset in the node.
    float at(std::int64_t offset) const { return values_[offset - first_]; }
    /// Cells from an offset in the node on.
    std::span<const float> cells(std::int64_t offset, std::int64_t count) const {
        return values_.subspan(offset - first_, count);
    }

    /// A part of this part: cells from an offset in the node on.
    SliceView cut(std::int64_t offset, std::int64_t count) const { return {cells(offset, count), offset, owner_}; }

private:
    std::span<const float> values_;
    std::int64_t first_ = 0;
    std::shared_ptr<const void> owner_;
};

/// Whether a node has a batch axis: when it is an input of sentences, or something it is made of has one and it does
/// not sum over the batch.
bool has_batch_axis(const Graph& graph, int node);

/// What a model reads, for a trace: the sentence; for a translation its source sentence too; or values instead of
/// words.
struct TraceInput {
    std::vector<int> tokens;
    std::vector<int> source_tokens = {};
    std::vector<float> values = {};  // [pos, d_input]
    /// The kind of sentence that each token is in, for models with token types; empty: see token_types_of().
    std::vector<int> token_types = {};
};

/// Everything that one forward pass of one sentence computed, with the graph and the parameters that made it.
/// Immutable: shared between threads freely.
///
/// What the run did not keep is made when it is asked for, by the same ops from what it did keep, and interventions
/// hold there too: the same bytes. Of a large model that is the scores and patterns of all heads, the norms, the MLP's
/// hidden layer, the logits; so views ask for the part() that they show.
class Trace {
public:
    /// Keeps what `run` computed last, where it lies: nobody may run it as long as the trace lives. `interventions` are
    /// those of the run, and any on nodes that come after what was run; `parts` is the budget for what is made later.
    Trace(const TransformerGraph& model, Parameters parameters, TraceInput input, std::shared_ptr<const Execution> run,
          std::vector<Intervention> interventions = {}, std::int64_t parts = TraceMemory{}.parts);
    ~Trace();

    const TransformerGraph& model() const { return model_; }
    const Graph& graph() const { return *model_.graph; }
    const Parameters& parameters() const { return parameters_; }
    const std::vector<int>& tokens() const { return input_.tokens; }
    const std::vector<int>& source_tokens() const { return input_.source_tokens; }
    int positions() const { return model_.positions; }

    /// The values of any node (ops, inputs, parameters), row-major, with the batch axis of size 1 where the node has
    /// one; valid as long as the trace. A node that was not kept is made whole, and stays.
    std::span<const float> values(int node) const;
    std::span<const float> values(const std::string& name) const { return values(graph().at(name)); }
    /// Some slices of a node; its neighbours are not made. Throws Error when there are no such slices.
    SliceView part(int node, Slices slices) const { return part(node, slices, true); }
    /// The same for a caller that comes by once: nothing is held for whoever asks next.
    SliceView part_uncached(int node, Slices slices) const { return part(node, slices, false); }
    /// The slice that holds a cell: the values of its position, or its head's scores.
    SliceView part_of(const Cell& cell) const { return part(cell.node, slices(cell.node).around(cell.offset)); }
    SliceAxis slices(int node) const { return {graph(), node}; }
    float at(const Cell& cell) const;
    /// Whether the node's values are there already.
    bool kept(int node) const;
    /// Bytes held for parts that were made later.
    std::int64_t part_bytes() const;
    /// The node's shape without the batch axis.
    Shape shape(int node) const;

    /// Whether an intervention set this cell, or any cell of this node, itself or through a view of the same memory.
    bool overwritten(const Cell& cell) const;
    bool overwritten(int node) const;
    /// Whether an intervention set any cell at all.
    bool intervened() const { return !overwritten_.empty(); }

    Explanation explain(const Cell& cell) const;
    /// "attn.hook_pattern[head 3, query 2, key 7]"-like address of a cell: the node's name and its index, without
    /// batch.
    std::string address(const Cell& cell) const;

private:
    SliceView part(int node, Slices slices, bool hold) const;
    /// What needs not be made; else empty.
    std::span<const float> find_values(int node) const;

    TransformerGraph model_;
    Parameters parameters_;
    TraceInput input_;
    std::shared_ptr<const Execution> run_;
    OverwrittenCells overwritten_;
    std::unique_ptr<Recompute> recompute_;
};

}  // namespace glassformer
