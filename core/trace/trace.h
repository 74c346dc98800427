#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/graph/parameters.h"
#include "core/nn/transformer.h"
#include "core/trace/overwritten.h"

namespace glassformer {

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
    std::string formula, numbers, terms_title;
    std::vector<Term> terms;
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
};

/// Everything that one forward pass of one sentence computed, with the graph and the parameters that made it.
/// Immutable: shared between threads freely.
class Trace {
public:
    /// Keeps what `run` computed last, where it lies: nobody may run it as long as the trace lives. Nodes that it did
    /// not keep are computed when they are asked for, from those that it did. `overwritten` are the cells that its
    /// interventions set.
    Trace(const TransformerGraph& model, Parameters parameters, TraceInput input, std::shared_ptr<const Execution> run,
          OverwrittenCells overwritten = {});
    ~Trace();

    const TransformerGraph& model() const { return model_; }
    const Graph& graph() const { return *model_.graph; }
    const Parameters& parameters() const { return parameters_; }
    const std::vector<int>& tokens() const { return input_.tokens; }
    const std::vector<int>& source_tokens() const { return input_.source_tokens; }
    int positions() const { return model_.positions; }

    /// The values of any node (ops, inputs, parameters), row-major, with the batch axis of size 1 where the node has
    /// one; valid as long as the trace.
    std::span<const float> values(int node) const;
    std::span<const float> values(const std::string& name) const { return values(graph().at(name)); }
    float at(const Cell& cell) const { return values(cell.node)[static_cast<std::size_t>(cell.offset)]; }
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
    TransformerGraph model_;
    Parameters parameters_;
    TraceInput input_;
    std::shared_ptr<const Execution> run_;
    OverwrittenCells overwritten_;
    class Later;
    std::unique_ptr<Later> later_;
};

}  // namespace glassformer
