#pragma once

#include <map>
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

/// Everything that one forward pass of one sentence computed, with the graph and the parameters that made it.
/// Immutable: shared between threads freely.
class Trace {
public:
    /// Reads what `run` computed last; `overwritten` are the cells that its interventions set.
    Trace(const TransformerGraph& model, Parameters parameters, std::vector<int> tokens, Execution& run,
          OverwrittenCells overwritten = {});

    const TransformerGraph& model() const { return model_; }
    const Graph& graph() const { return *model_.graph; }
    const Parameters& parameters() const { return parameters_; }
    const std::vector<int>& tokens() const { return tokens_; }
    int positions() const { return model_.positions; }

    /// The values of any node (ops, inputs, parameters), row-major, with the batch axis of size 1 where the node has
    /// one.
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
    std::vector<int> tokens_;
    std::vector<float> cells_;
    std::vector<std::int64_t> offsets_;  // by node, into cells_
    OverwrittenCells overwritten_;
};

/// Makes traces; keeps one planned execution per sentence length. Not thread-safe.
class Tracer {
public:
    Tracer(Backend& backend, const TransformerConfig& config) : backend_(backend), config_(config) {}

    /// Throws Error for no tokens, more than n_ctx, or an id outside the vocabulary, and for models that read something
    /// else than one sentence of words.
    std::shared_ptr<const Trace> trace(const std::vector<int>& tokens, const Parameters& parameters) {
        return trace(tokens, parameters, {});
    }
    /// The same with cells overwritten as soon as their node is computed. Node ids and shapes are those of any trace of
    /// as many tokens. Throws Error, too, as Execution::intervene() and OverwrittenCells do.
    std::shared_ptr<const Trace> trace(const std::vector<int>& tokens, const Parameters& parameters,
                                       const std::vector<Intervention>& interventions);

private:
    struct Planned {
        TransformerGraph model;
        std::unique_ptr<Execution> run;
    };
    Planned& planned(int positions);

    Backend& backend_;
    TransformerConfig config_;
    std::map<int, Planned> by_length_;
};

/// Throws Error unless there is at least one token, at most n_ctx, and every id is in the vocabulary.
void require_tokens(const std::vector<int>& tokens, const TransformerConfig& config);

}  // namespace glassformer
