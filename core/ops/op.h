#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/tensor/tensor.h"
#include "core/tensor/typed_matrix.h"

namespace glassformer {

/// Values that an op reads: row-major, not owned. If the op sets reads_stored() they may instead be a matrix in a
/// file's type; `data` is then null.
struct ConstView {
    const float* data = nullptr;
    Shape shape;
    const TypedMatrix* stored = nullptr;
};

/// Values that an op writes.
struct View {
    float* data = nullptr;
    Shape shape;
};

struct ForwardArgs {
    std::span<const ConstView> inputs;
    View output;
    ThreadPool& pool;
};

/// Where the gradient of one input goes. `data` is null if nobody needs it. With `accumulate` the kernel adds to the
/// existing values; otherwise it overwrites every cell.
struct GradientSlot {
    float* data = nullptr;
    bool accumulate = false;
};

struct BackwardArgs {
    std::span<const ConstView> inputs;  // data is null if !backward_reads_input
    ConstView output;                   // data is null if !backward_reads_output
    ConstView output_gradient;
    std::span<const GradientSlot> input_gradients;
    ThreadPool& pool;
};

/// One operand of an explained cell: cell `offset` (row-major) of input number `input`, or of the op's own output (a
/// recurrent state computed from the previous one) if `input` is own_output.
struct OperandCell {
    static constexpr int own_output = -1;
    int input = 0;
    std::int64_t offset = 0;
    double value = 0.0;
};

/// One line of an explanation: operands that belong together (x and W for one summand), and their contribution. There
/// are no operands if the op itself supplies the number (the sine of a position).
struct Term {
    std::vector<OperandCell> operands;
    double contribution = 0.0;
};

/// How the terms of an explanation relate to its value.
enum class TermKind {
    summand,   // they add up to it, or to a sum that it is a function of (TermReading::inside)
    share,     // the value is the share of its own term (TermReading::main_term) in their sum
    quantity,  // separate numbers in the formula
};

/// What to print between the operands of one term: "x · W", "x − μ", or a comma.
enum class TermJoin { list, product, difference };

/// How to read the terms of an explanation.
struct TermReading {
    TermKind kind = TermKind::summand;
    TermJoin join = TermJoin::list;
    int main_term = -1;                // the term to follow to the value's origin; −1: the largest
    std::string_view inside = {};      // if the value is a function of the terms' sum: "under the root"
    std::string_view symbol = {};      // name of a term's contribution: "e^s"
    bool numbers_say_formula = false;  // OpExplanation::numbers repeats the formula, so showing one of them is enough
    double rounded = 0.0;              // magnitude of what the kernel rounds, if larger than the value and the summands
};

/// How one output cell follows from its operands. `value` is computed here independently, in double, and must agree
/// with the kernel's float: a test checks random cells of every op.
struct OpExplanation {
    std::string formula;      // in symbols: "Σ x·W + b"
    std::string numbers;      // the same with actual numbers: "8.48 / √16"
    std::string terms_title;  // caption of the terms: "x · W, feature by feature"
    std::vector<Term> terms;
    double value = 0.0;
    TermReading reading = {};
};

struct ExplainArgs {
    std::span<const ConstView> inputs;
    Shape output_shape;
    std::int64_t offset = 0;  // the output cell to explain
    ConstView output = {};    // the op's result, for ops that refer to their own output
};

/// One factor of every product in a sum: the cells of an input from `first` on, `stride` apart.
struct Factor {
    int input = 0;
    std::int64_t first = 0, stride = 1;
};
/// Explains Σ_i x_i · w_i over `count` products, with one term per product.
OpExplanation explain_products(const ExplainArgs& a, std::string formula, std::string terms_title, std::int64_t count,
                               const Factor& x, const Factor& w);

/// One setting of an op. What the shapes already tell (positions, widths) is not listed.
struct OpAttribute {
    std::string_view name;
    double value = 0.0;
};

/// Which part of an input a slice of the output is computed from. A slice is a part of a node along its first axis
/// after the batch: rows of positions, or heads of scores.
enum class Reads {
    all,
    slice,           // the same slice
    heads_of_slice,  // the slice's heads (the input's axis 2), at all positions
    slice_of_head,   // the slice of the cell's head (the output's axis 2); for explain() only
};

/// What an op does in a model. Code that walks over a graph (traces, parts, pictures) checks this and never an op's
/// name, so that it also works for ops added later.
enum class OpRole {
    other,
    token_embedding,     // rows of a table, selected by the words
    position_embedding,  // rows that depend only on the positions
    linear,              // x·W, with or without a bias; inputs x, W, b
    unembedding,         // x·Wᵀ; inputs x, W
    activation,          // the nonlinearity that turns two linear maps into an MLP
    gate,                // a ⊙ b
    add,                 // a + b, as along the residual stream
    norm_statistic,      // of a norm: mean or spread
    norm_normalize,      // of a norm: x̂; inputs x first, the scale last
    norm_affine,         // the last stage of a norm: γ and β; inputs x̂, γ, β
    attention_scores,    // q·k; in its output the head axis precedes the query axis
    attention_step,      // between projections and weights, cell by cell in the same shape: a scale, a mask, a position
    head_copy,           // before attention: copies a key or value head for each query head that shares it
    attention_weights,   // turns scores into weights, row by row
    attention_values,    // weights · values; inputs pattern, v
    recurrent_state,     // states of a layer, each computed from the previous one
    pooling,             // one row per sentence; inputs x and the mask of its words
    observer,            // shows something about a model but is not part of its computation
    loss,
};

/// Properties of an op that do not depend on its inputs.
struct OpTraits {
    OpRole role = OpRole::other;
    std::string_view title = {};   // name in a sentence ("query · key"); empty: its name
    std::string_view family = {};  // common name of the model part that it belongs to ("RMSNorm")
    std::string_view step = {};    // for attention: its label in the derivation of a weight ("score"); empty: its title
    bool is_mask = false;          // writes −∞ on purpose
    bool drops_batch = false;      // its output has no batch axis, although inputs have one
    bool training_only = false;    // outside training it returns its first input unchanged
};

class Op;
using OpPtr = std::shared_ptr<const Op>;

/// An operation of the graph: its shape rule, CPU kernels and explanation. Stateless and shared between graphs;
/// attributes (a factor, an epsilon) are fixed at construction.
class Op {
public:
    virtual ~Op() = default;

    /// The op's single name, used in code, shaders, tests and on screen ("layer_norm_mean").
    virtual std::string_view name() const = 0;
    virtual OpTraits traits() const { return {}; }
    /// The shape of the output. Throws Error naming the op and the shapes if they do not fit.
    virtual Shape infer_shape(std::span<const Shape> inputs) const = 0;
    virtual void forward(const ForwardArgs& args) const = 0;
    virtual void backward(const BackwardArgs& args) const = 0;
    virtual OpExplanation explain(const ExplainArgs& args) const = 0;

    /// The settings fixed at construction, by name, for backends with their own kernels.
    virtual std::vector<OpAttribute> attributes() const { return {}; }

    /// Whether a gradient flows to this input (none flows to token ids and masks).
    virtual bool has_gradient(int /*input*/) const { return true; }
    /// What the backward kernel reads, so that the plan can reuse all other buffers.
    virtual bool backward_reads_input(int /*input*/) const { return true; }
    virtual bool backward_reads_output() const { return false; }
    /// Whether the output may reuse this input's memory, and this input's gradient the memory of the output's gradient.
    /// They have the same shape, and the kernel writes no cell (or row) before it has read what it needs there.
    virtual bool in_place(int /*input*/) const { return false; }
    /// True if the output is the first input with some cells rewritten. If that is an input of the graph that no other
    /// op reads, both share one memory and the op writes only those cells.
    virtual bool updates_first_input() const { return false; }
    /// Whether a non-finite value in this input always leaves one in the output. A mask, a maximum or a division by it
    /// may hide it.
    virtual bool propagates_nonfinite(int /*input*/) const { return false; }
    /// Whether forward() also accepts this input, a matrix, in the type of its file. The result is byte for byte the
    /// same as with floats.
    virtual bool reads_stored(int /*input*/) const { return false; }
    /// True if the output is the input's memory under another shape; forward and backward then do nothing.
    virtual bool is_view() const { return false; }

    /// Whether forward() can compute a slice of an output of this shape from views of the parts named by reads(): byte
    /// for byte the same as within the whole, if the memory is aligned to cache lines in the same way.
    virtual bool by_slices(const Shape& /*output*/) const { return false; }
    /// What a slice of the output is computed from, and what explain() reads for a cell in it.
    virtual Reads reads(int /*input*/) const { return Reads::all; }
    /// The op that computes the slice from `first` on; null: this op.
    virtual OpPtr for_slice(std::int64_t /*first*/, const Shape& /*output*/) const { return nullptr; }
};

/// An op through which no gradient flows.
class OpWithoutGradient : public Op {
public:
    void backward(const BackwardArgs&) const final {}
    bool has_gradient(int /*input*/) const final { return false; }
    bool backward_reads_input(int /*input*/) const final { return false; }
};

/// The op's name in a sentence: its title, or its name.
inline std::string_view title_of(const Op& op) { return op.traits().title.empty() ? op.name() : op.traits().title; }

/// True if both are the same operation, regardless of attributes: same_operation(*node.op, *ops::softmax()).
inline bool same_operation(const Op& a, const Op& b) { return a.name() == b.name(); }

/// The attribute with that name; throws Error naming the op if it has none.
double attribute(const Op& op, std::string_view name);

/// Throws Error("<op>: <what>; the input shapes are …").
[[noreturn]] void shape_error(const Op& op, const std::string& what, std::span<const Shape> inputs);

/// A number for an explanation: two decimals (0, and 0.1 to 10^5), four decimals (0.001 to 0.1), otherwise three
/// significant digits. The screen turns the hyphen into a real minus sign.
std::string format_number(double value);

}  // namespace glassformer
