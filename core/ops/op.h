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

/// Values that an op reads: row-major, not owned. Where the op says reads_stored() they may instead lie in a matrix of
/// a file's type; `data` is null then.
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

/// Where the gradient of one input goes. `data` is null when nobody needs it. When `accumulate` is set the kernel adds
/// to what is there; otherwise it overwrites every cell.
struct GradientSlot {
    float* data = nullptr;
    bool accumulate = false;
};

struct BackwardArgs {
    std::span<const ConstView> inputs;  // data is null where !backward_reads_input
    ConstView output;                   // data is null where !backward_reads_output
    ConstView output_gradient;
    std::span<const GradientSlot> input_gradients;
    ThreadPool& pool;
};

/// One operand of an explained cell: cell `offset` (row-major) of input number `input`, or of the op's own output (a
/// recurrent state made of the one before it) where `input` is own_output.
struct OperandCell {
    static constexpr int own_output = -1;
    int input = 0;
    std::int64_t offset = 0;
    double value = 0.0;
};

/// One line of an explanation: operands that belong together (x and W for one summand), and what they contribute. There
/// are none where the op itself brings the number (the sine of a position).
struct Term {
    std::vector<OperandCell> operands;
    double contribution = 0.0;
};

/// What the terms of an explanation are to its value.
enum class TermKind {
    summand,   // they add up to it, or to the sum that it is a function of (TermReading::inside)
    share,     // the value is the share that its own term (TermReading::main_term) has in their sum
    quantity,  // numbers of the formula, each on its own
};

/// What stands between the operands of one term: "x · W", "x − μ", or a comma.
enum class TermJoin { list, product, difference };

/// How the terms of an explanation are to be read.
struct TermReading {
    TermKind kind = TermKind::summand;
    TermJoin join = TermJoin::list;
    int main_term = -1;                // the term that leads on to where the value comes from; −1: the largest
    std::string_view inside = {};      // where the value is a function of the terms' sum: "under the root"
    std::string_view symbol = {};      // what the contribution of a term is called: "e^s"
    bool numbers_say_formula = false;  // OpExplanation::numbers repeats the formula, so one of them is enough
    double rounded = 0.0;              // the size of what the kernel rounds, where it is larger than value and summands
};

/// How one output cell came from its operands. `value` is computed here in double from the operands, on its own, and
/// must agree with the float that the kernel produced: a test walks random cells of every op.
struct OpExplanation {
    std::string formula;      // in symbols: "Σ x·W + b"
    std::string numbers;      // the same with live values: "8.48 / √16"
    std::string terms_title;  // what the terms are: "x · W, feature by feature"
    std::vector<Term> terms;
    double value = 0.0;
    TermReading reading = {};
};

struct ExplainArgs {
    std::span<const ConstView> inputs;
    Shape output_shape;
    std::int64_t offset = 0;  // the cell of the output that is asked for
    ConstView output = {};    // what the op computed, for ops that refer to their own output
};

/// One factor of each product of a sum: the cells of an input from `first` on, `stride` apart.
struct Factor {
    int input = 0;
    std::int64_t first = 0, stride = 1;
};
/// The explanation of Σ_i x_i · w_i over `count` products, with a term for each.
OpExplanation explain_products(const ExplainArgs& a, std::string formula, std::string terms_title, std::int64_t count,
                               const Factor& x, const Factor& w);

/// One number that an op was made with. Numbers that the shapes tell (positions, widths) are not listed.
struct OpAttribute {
    std::string_view name;
    double value = 0.0;
};

/// What of one input a slice of an op's output is made of. A slice is a part of a node along its first axis after the
/// batch: rows of positions, or heads of scores.
enum class Reads {
    all,
    slice,           // the same slice
    heads_of_slice,  // the slice's heads (the input's axis 2), at every position
    slice_of_head,   // the slice that the cell's head (the output's axis 2) names; for explain() only
};

/// What an op does in a model. Code that walks over a graph (traces, parts, pictures) asks for this and never for the
/// name of an op, so that it serves ops that are added later.
enum class OpRole {
    other,
    token_embedding,     // rows of a table, by the words
    position_embedding,  // rows that the positions alone decide
    linear,              // x·W, and a bias where there is one; inputs x, W, b
    unembedding,         // x·Wᵀ; inputs x, W
    activation,          // what makes two linear maps an MLP
    gate,                // a ⊙ b
    add,                 // a + b, as along the residual stream
    norm_statistic,      // of a norm: a mean, a spread
    norm_normalize,      // of a norm: x̂; inputs x first, the scale last
    norm_affine,         // of a norm, its end: γ and β; inputs x̂, γ, β
    attention_scores,    // q·k; its output has the axis of heads before that of queries
    attention_step,      // between projections and weights, cell for cell in one shape: a scale, a mask, a position
    head_copy,           // before attention: a key or value head for each of the query heads that share it
    attention_weights,   // scores become weights, row by row
    attention_values,    // weights · values; inputs pattern, v
    recurrent_state,     // states of a layer, each made from the one before it
    pooling,             // one row for a whole sentence; inputs x and the mask of its words
    observer,            // shows something about a model and is no step of it
    loss,
};

/// What is known of an op as a whole, whatever it is applied to.
struct OpTraits {
    OpRole role = OpRole::other;
    std::string_view title = {};   // what it is called in a sentence ("query · key"); empty: its name
    std::string_view family = {};  // what people call the part of a model that it belongs to ("RMSNorm")
    std::string_view step = {};    // of attention: its line in the working out of a weight ("score"); empty: its title
    bool is_mask = false;          // writes −∞ on purpose
    bool drops_batch = false;      // its output has no batch axis, though inputs have one
    bool training_only = false;    // outside of training its output is its first input
};

class Op;
using OpPtr = std::shared_ptr<const Op>;

/// An operation of the graph: its shape rule, its CPU kernels and its explanation. Stateless and shared between graphs;
/// attributes (a factor, an epsilon) are fixed at construction.
class Op {
public:
    virtual ~Op() = default;

    /// The op's one name, in code, shaders, tests and on screen ("layer_norm_mean").
    virtual std::string_view name() const = 0;
    virtual OpTraits traits() const { return {}; }
    /// The shape of the output; throws Error naming the op and the shapes when they do not fit.
    virtual Shape infer_shape(std::span<const Shape> inputs) const = 0;
    virtual void forward(const ForwardArgs& args) const = 0;
    virtual void backward(const BackwardArgs& args) const = 0;
    virtual OpExplanation explain(const ExplainArgs& args) const = 0;

    /// What was fixed at construction, by name, for backends that run the op with kernels of their own.
    virtual std::vector<OpAttribute> attributes() const { return {}; }

    /// Whether a gradient flows to this input (token ids and masks have none).
    virtual bool has_gradient(int /*input*/) const { return true; }
    /// What the backward kernel reads, so that the plan can reuse every other buffer.
    virtual bool backward_reads_input(int /*input*/) const { return true; }
    virtual bool backward_reads_output() const { return false; }
    /// Whether the output may lie where this input lay, and this input's gradient where the output's lay: they have one
    /// shape, and a kernel writes no cell (or row) before it has read what it needs of it, from the same cell (or row).
    virtual bool in_place(int /*input*/) const { return false; }
    /// The output is the first input with some cells written again. Where that is an input of the graph that no other
    /// op reads, both have one memory, and the op writes those cells alone.
    virtual bool updates_first_input() const { return false; }
    /// Whether a number of this input that is not finite always leaves one in the output. A mask, a maximum or a
    /// division by it may hide it.
    virtual bool propagates_nonfinite(int /*input*/) const { return false; }
    /// Whether forward() also takes this input, a matrix, as a file holds it; the same bytes as of its floats.
    virtual bool reads_stored(int /*input*/) const { return false; }
    /// The output is the input's memory under another shape; forward and backward do nothing.
    virtual bool is_view() const { return false; }

    /// Whether forward() makes a slice of an output of this shape from what reads() names of the inputs, given views of
    /// those parts: the same bytes as within the whole, where the memory lies alike on its cache lines.
    virtual bool by_slices(const Shape& /*output*/) const { return false; }
    /// What a slice of the output is made of, and what explain() reads for a cell in it.
    virtual Reads reads(int /*input*/) const { return Reads::all; }
    /// The op that makes the slice from `first` on; null: this one does.
    virtual OpPtr for_slice(std::int64_t /*first*/, const Shape& /*output*/) const { return nullptr; }
};

/// What the op is called in a sentence: its title, or its name.
inline std::string_view title_of(const Op& op) { return op.traits().title.empty() ? op.name() : op.traits().title; }

/// Whether both are the same operation, with whatever attributes: same_operation(*node.op, *ops::softmax()).
inline bool same_operation(const Op& a, const Op& b) { return a.name() == b.name(); }

/// The attribute of that name; throws Error naming the op when it has none.
double attribute(const Op& op, std::string_view name);

/// Throws Error("<op>: <what>; the input shapes are …").
[[noreturn]] void shape_error(const Op& op, const std::string& what, std::span<const Shape> inputs);

/// A number for an explanation: three significant decimals, a real minus sign left to the screen.
std::string format_number(double value);

}  // namespace glassformer
