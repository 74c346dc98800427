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

/// The parts of a node that can be read separately lie along its first axis after the batch: rows of positions, heads
/// of scores, rows of a parameter. Slices are some of them, contiguous in memory.
struct Slices {
    std::int64_t first = 0, count = 0;
    bool operator==(const Slices&) const = default;
};

/// The number of slices of a node, and the cells in each; a scalar has one slice.
struct SliceAxis {
    std::int64_t count = 1, width = 1;
    SliceAxis(const Graph& graph, int node);

    Slices all() const { return {0, count}; }
    /// The smallest range of slices that contains these cells.
    Slices around(std::int64_t offset, std::int64_t cells = 1) const {
        return {offset / width, (offset + cells - 1) / width - offset / width + 1};
    }
};

/// The node whose memory a view shares; any other node is its own root.
int root_of(const Graph& graph, int node);

/// The cells of a run that interventions set, so that no explanation claims that the model computed them. A view and
/// its root share memory: setting a cell through one sets it in the other.
class OverwrittenCells {
public:
    OverwrittenCells() = default;
    /// The interventions must be valid for Execution::intervene(). Throws Error if the values at the end of the run
    /// would not be the ones that other cells were computed from. That is so for a recurrent layer's states (each is
    /// computed from the original state before it), and for a view whose memory another op has read already.
    OverwrittenCells(const Graph& graph, std::span<const Intervention> interventions);

    /// True if cell `offset` (row-major, with the batch axis) of a root was set.
    bool contains(int root, std::int64_t offset) const;
    /// True if any cell of a root was set.
    bool any(int root) const { return by_root_.contains(root); }
    bool empty() const { return by_root_.empty(); }

private:
    std::map<int, std::vector<Intervention::Range>> by_root_;
};

/// Memory budgets of a trace, in bytes.
struct TraceMemory {
    std::int64_t kept = std::int64_t{192} << 20;  // for what the model's run leaves behind
    std::int64_t parts = std::int64_t{96} << 20;  // cache for recently viewed values that the run did not keep
};

/// Selects which of the ops that lead to an answer a run keeps: all, if they fit into the budget. Otherwise it keeps,
/// whatever they take, those that cannot be recomputed slice by slice (attention's mix z), the sums along the residual
/// stream, single numbers per position, and the products that heads are made of (queries, keys and values). The rest of
/// the budget goes to the matrix products, starting with the most multiply-adds per cell. Cell-by-cell ops (norms,
/// activations, softmax) are always recomputed.
std::vector<int> select_saved_activations(const Graph& graph, const std::vector<int>& leading_to_answer,
                                          std::int64_t budget);

class Recompute;

/// One number of a trace: cell `offset` (row-major) of node `node`.
struct Cell {
    int node = -1;
    std::int64_t offset = 0;
    bool operator==(const Cell&) const = default;
};

/// How a number was computed from others; OpExplanation with its operands located in the graph.
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
    double traced = 0.0;       // the model's float32 value
    double recomputed = 0.0;   // from the operands, in double
    bool overwritten = false;  // by an intervention: `traced` was set, no op computed it
    std::string op;            // empty if no op computed it: an input, a parameter or an overwritten cell
    std::string title;         // name of the op for use in a sentence
    OpTraits traits = {};
    std::string formula, numbers, terms_title;
    TermReading reading = {};
    std::vector<Term> terms;
};

/// Some slices of a node (see Slices). They stay in place as long as this object lives.
class SliceView {
public:
    SliceView() = default;
    SliceView(std::span<const float> values, std::int64_t first, std::shared_ptr<const void> owner)
        : values_(values), first_(first), owner_(std::move(owner)) {}

    std::span<const float> values() const { return values_; }
    /// The offset of the first value in the node.
    std::int64_t first() const { return first_; }
    /// The cell at an offset in the node.
    float at(std::int64_t offset) const { return values_[offset - first_]; }
    /// The cells starting at an offset in the node.
    std::span<const float> cells(std::int64_t offset, std::int64_t count) const {
        return values_.subspan(offset - first_, count);
    }

    /// A subrange: the cells starting at an offset in the node.
    SliceView cut(std::int64_t offset, std::int64_t count) const { return {cells(offset, count), offset, owner_}; }

private:
    std::span<const float> values_;
    std::int64_t first_ = 0;
    std::shared_ptr<const void> owner_;
};

/// True if a node has a batch axis: it is an input that holds sentences, or one of its inputs has a batch axis that it
/// does not sum over.
bool has_batch_axis(const Graph& graph, int node);

/// A model's input for a trace: the sentence, and for translation the source sentence; or values instead of words.
struct TraceInput {
    std::vector<int> tokens;
    std::vector<int> source_tokens = {};
    std::vector<float> values = {};  // [pos, d_input]
    /// The sentence type of each token, for models with token types; empty: see token_types_of().
    std::vector<int> token_types = {};
};

/// Everything that one forward pass over one sentence computed, with its graph and parameters. Immutable: may be shared
/// freely between threads.
///
/// Values that the run did not keep are recomputed on demand, by the same ops from the values that it did keep.
/// Interventions apply there too, so the bytes are identical. In a large model that covers the scores and patterns of
/// all heads, the norms, the MLP's hidden layer and the logits; so views should ask for the part() that they show.
class Trace {
public:
    /// Keeps the values of the last forward pass of `run` in place: do not run it again while the trace lives.
    /// `interventions` are those of the run, plus any on nodes after it; `parts` is the budget for recomputed values.
    Trace(const TransformerGraph& model, Parameters parameters, TraceInput input, std::shared_ptr<const Execution> run,
          std::vector<Intervention> interventions = {}, std::int64_t parts = TraceMemory{}.parts);
    ~Trace();

    const TransformerGraph& model() const { return model_; }
    const Graph& graph() const { return *model_.graph; }
    const Parameters& parameters() const { return parameters_; }
    const std::vector<int>& tokens() const { return input_.tokens; }
    const std::vector<int>& source_tokens() const { return input_.source_tokens; }
    int positions() const { return model_.positions; }

    /// The values of any node (ops, inputs, parameters), row-major, with a batch axis of size 1 if the node has one;
    /// valid as long as the trace. A node that was not kept is recomputed whole and then kept.
    std::span<const float> values(int node) const;
    std::span<const float> values(const std::string& name) const { return values(graph().at(name)); }
    /// Some slices of a node, without computing the others. Throws Error if there are no such slices.
    SliceView part(int node, Slices slices) const { return part(node, slices, true); }
    /// The same without caching, for a caller that needs them only once.
    SliceView part_uncached(int node, Slices slices) const { return part(node, slices, false); }
    /// The slice that contains a cell: the values at its position, or its head's scores.
    SliceView part_of(const Cell& cell) const { return part(cell.node, slices(cell.node).around(cell.offset)); }
    SliceAxis slices(int node) const { return {graph(), node}; }
    float at(const Cell& cell) const;
    /// True if the node's values are available without recomputing.
    bool kept(int node) const;
    /// Bytes held for recomputed parts.
    std::int64_t part_bytes() const;
    /// The node's shape without the batch axis.
    Shape shape(int node) const;

    /// True if an intervention set this cell, or any cell of this node, directly or through a view of the same memory.
    bool overwritten(const Cell& cell) const;
    bool overwritten(int node) const;
    /// True if an intervention set any cell at all.
    bool intervened() const { return !overwritten_.empty(); }
    /// The interventions of the run, by node.
    const std::vector<Intervention>& interventions() const;

    Explanation explain(const Cell& cell) const;
    /// The address of a cell: the node's name and its index, without the batch, like "attn.hook_pattern[head 3, query
    /// 2, key 7]".
    std::string address(const Cell& cell) const;

private:
    SliceView part(int node, Slices slices, bool hold) const;
    /// Values that need no recomputing; else empty.
    std::span<const float> find_values(int node) const;

    TransformerGraph model_;
    Parameters parameters_;
    TraceInput input_;
    std::shared_ptr<const Execution> run_;
    OverwrittenCells overwritten_;
    std::unique_ptr<Recompute> recompute_;
};

}  // namespace glassformer
