#include <algorithm>
#include <cmath>

#include "core/base/aligned.h"
#include "core/base/mark_text.h"
#include "core/ops/elementary.h"
#include "core/ops/kernel.h"
#include "core/ops/op.h"
#include "core/ops/ops.h"
#include "core/ops/product_pieces.h"

// The steps of a recurrent op depend on one another, so work is split into groups of sentences, and each group runs
// through its own steps.

namespace glassformer::ops {

namespace {

using namespace kernel;

/// Working memory of a kernel. It belongs to the calling thread and only grows, so that training allocates nothing
/// after the first step. A kernel calls this once for everything it needs, and shares the memory among its pieces.
float* scratch(std::int64_t floats) {
    thread_local AlignedFloats memory;
    if (static_cast<std::int64_t>(memory.size()) < floats) memory = AlignedFloats(static_cast<std::size_t>(floats));
    return memory.data();
}

/// Sentences per piece of work: one or two register tiles of rows per step.
constexpr std::int64_t recurrent_grain = 16;

/// `count` sentences from `first` on, in [B, P, ..] memory.
struct Sentences {
    std::int64_t first, count, positions;

    std::int64_t row(std::int64_t sentence, std::int64_t p) const { return (first + sentence) * positions + p; }
    /// Their rows at position p: [count, width].
    Operand rows_at(std::int64_t p, const float* data, std::int64_t width) const {
        return {data + row(0, p) * width, count, width, positions * width, 1};
    }
    /// The same rows as a target to which a product is added.
    Target added_at(std::int64_t p, float* data, std::int64_t width) const {
        return {data + row(0, p) * width, positions * width, true};
    }
};

/// Calls body(sentences) for each group.
template <class Body>
void for_sentences(ThreadPool& pool, const Shape& states, const Body& body) {
    for_ranges(pool, states[0], recurrent_grain, [&](std::int64_t begin, std::int64_t end) {
        body(Sentences{begin, end - begin, states[1]});
    });
}

/// previous[b, p] = states[b, p − 1], zeros at the first position.
void copy_previous(const Sentences& s, const float* states, std::int64_t width, float* previous) {
    for (std::int64_t i = 0; i < s.count && s.positions > 0; ++i) {
        float* row = previous + s.row(i, 0) * width;
        std::fill_n(row, width, 0.0f);
        std::copy_n(states + s.row(i, 0) * width, (s.positions - 1) * width, row + width);
    }
}

/// The weight gradients of a recurrent layer over all steps: dW = previousᵀ·d, db = Σ d, for previous [rows, D] and d
/// [rows, width]. Every piece owns some cells, which it sums in row order.
void recurrent_weight_gradients(ThreadPool& pool, const Operand& previous, const Operand& d, const GradientSlot& dw,
                                const GradientSlot& db) {
    const DeepPieces dw_pieces(dw.data ? previous.columns : 0, d.columns);
    const Pieces db_pieces(db.data ? d.columns : 0, sum_columns);
    const PackingTicket packing = new_packing(dw_pieces.columns.count);
    pool.run(dw_pieces.count + db_pieces.count, [&](std::int64_t piece) {
        if (piece < dw_pieces.count) {
            multiply_deep({dw.data, d.columns, dw.accumulate}, previous.transposed(), d, dw_pieces, piece, packing);
        } else {
            const auto [begin, count] = db_pieces[piece - dw_pieces.count];
            sum_rows(d.data + begin, d.rows, d.columns, count, db.data + begin, db.accumulate);
        }
    });
}

class RecurrentTanh final : public Op {
public:
    std::string_view name() const override { return "recurrent_tanh"; }
    OpTraits traits() const override { return {.role = OpRole::recurrent_state, .title = N_("the next state")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 3 || in[0].rank() != 3 || in[0][2] < 1 || in[1] != Shape{in[0][2], in[0][2]} ||
            in[2] != Shape{in[0][2]})
            shape_error(*this, "expected x [B, P, D], W_hh [D, D] and b [D]", in);
        return in[0];
    }

    // h_p = tanh(x_p + h_{p−1}·W + b)
    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape[2];
        const Operand w = matrix(a.inputs[1].data, width, width);
        const PackingTicket packing = new_packing();
        for_sentences(a.pool, a.output.shape, [&](const Sentences& s) {
            for (std::int64_t p = 0; p < s.positions; ++p) {
                for (std::int64_t i = 0; i < s.count; ++i) {
                    const std::int64_t at = s.row(i, p) * width;
                    ArrayMap(a.output.data + at, width) =
                        ConstArrayMap(a.inputs[0].data + at, width) + ConstArrayMap(a.inputs[2].data, width);
                }
                if (p > 0)
                    multiply(s.added_at(p, a.output.data, width), s.rows_at(p - 1, a.output.data, width), w, packing);
                for (std::int64_t i = 0; i < s.count; ++i) {
                    float* h = a.output.data + s.row(i, p) * width;
                    for_lanes(0, width, [&](std::int64_t c, std::int64_t count) {
                        store_floats(h + c, tanh_of(load_floats(h + c, count)), count);
                    });
                }
            }
        });
    }

    // Backpropagation through time, with a = x + h·W + b, from the last position to the first:
    //   da_p = (dh_p + da_{p+1}·Wᵀ) ∘ (1 − h_p²),  dx = da,  dW = Σ_p h_{p−1}ᵀ·da_p,  db = Σ_p da_p
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0], dw = a.input_gradients[1], db = a.input_gradients[2];
        const std::int64_t width = a.output.shape[2], cells = a.output.shape.elements();
        float *da = scratch(2 * cells), *previous = da + cells;
        const Operand w = matrix(a.inputs[1].data, width, width).transposed();
        const PackingTicket packing = new_packing();
        for_sentences(a.pool, a.output.shape, [&](const Sentences& s) {
            if (dw.data) copy_previous(s, a.output.data, width, previous);
            for (std::int64_t p = s.positions - 1; p >= 0; --p) {
                for (std::int64_t i = 0; i < s.count; ++i)
                    std::copy_n(a.output_gradient.data + s.row(i, p) * width, width, da + s.row(i, p) * width);
                if (p + 1 < s.positions) multiply(s.added_at(p, da, width), s.rows_at(p + 1, da, width), w, packing);
                for (std::int64_t i = 0; i < s.count; ++i) {
                    const std::int64_t at = s.row(i, p) * width;
                    ArrayMap d(da + at, width);
                    d *= 1.0f - ConstArrayMap(a.output.data + at, width).square();
                    if (dx.data) store(ArrayMap(dx.data + at, width), d, dx.accumulate);
                }
            }
        });
        const std::int64_t rows = cells / width;
        recurrent_weight_gradients(a.pool, matrix(previous, rows, width), matrix(da, rows, width), dw, db);
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.output_shape[2], feature = a.offset % width,
                           p = a.offset / width % a.output_shape[1];
        OpExplanation e{"tanh(x + Σ h·W + b)",
                        "",
                        N_("x; then h · W, feature by feature of the state before; then the bias"),
                        {},
                        0.0,
                        {.join = TermJoin::product, .inside = N_("inside tanh")}};
        const double x = a.inputs[0].data[a.offset], b = a.inputs[2].data[feature];
        e.terms.push_back({{{0, a.offset, x}}, x});
        double before = 0.0;
        for (std::int64_t i = 0; i < width && p > 0; ++i) {
            const std::int64_t cell = a.offset - width - feature + i;
            const double h = a.output.data[cell], w = a.inputs[1].data[i * width + feature];
            e.terms.push_back({{{OperandCell::own_output, cell, h}, {1, i * width + feature, w}}, h * w});
            before += h * w;
        }
        e.terms.push_back({{{2, feature, b}}, b});
        e.value = std::tanh(x + before + b);
        e.numbers = "tanh(" + format_number(x) + " + " + format_number(before) + " + " + format_number(b) + ")";
        return e;
    }

    bool backward_reads_input(int input) const override { return input == 1; }
    bool backward_reads_output() const override { return true; }
};

/// The gates of some features. x and g = h·W + b hold the parts for r, z and n, `width` apart.
struct Gates {
    Floats r, z, n, g_n;
    Gates(const float* x, const float* g, std::int64_t width, std::int64_t count)
        : r(sigmoid_of(load_floats(x, count) + load_floats(g, count))),
          z(sigmoid_of(load_floats(x + width, count) + load_floats(g + width, count))),
          g_n(load_floats(g + 2 * width, count)) {
        n = tanh_of(load_floats(x + 2 * width, count) + r * g_n);
    }
};

/// One cell of h·W + b, in double. h is the previous state, or null if there is none.
double recurrent_part(const float* h, const ConstView& w, const ConstView& b, std::int64_t column) {
    double sum = b.data[column];
    for (std::int64_t i = 0; h && i < w.shape[0]; ++i)
        sum += static_cast<double>(h[i]) * static_cast<double>(w.data[i * w.shape[1] + column]);
    return sum;
}

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

bool fit(const Shape& x, const Shape& w, const Shape& b) {
    return x.rank() == 3 && x[2] > 0 && x[2] % 3 == 0 && w == Shape{x[2] / 3, x[2]} && b == Shape{x[2]};
}

class RecurrentGru final : public Op {
public:
    std::string_view name() const override { return "recurrent_gru"; }
    OpTraits traits() const override { return {.role = OpRole::recurrent_state, .title = N_("the next state")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 3 || !fit(in[0], in[1], in[2]))
            shape_error(*this, "expected x [B, P, 3D], W_hh [D, 3D] and b [3D]", in);
        return Shape{in[0][0], in[0][1], in[1][0]};
    }

    // r = σ(x_r + g_r),  z = σ(x_z + g_z),  n = tanh(x_n + r ∘ g_n),  h ← (1 − z) ∘ n + z ∘ h,  where g = h·W + b
    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape[2];
        const Operand w = matrix(a.inputs[1].data, width, 3 * width);
        const PackingTicket packing = new_packing();
        float* all_g = scratch(a.output.shape[0] * 3 * width);
        for_sentences(a.pool, a.output.shape, [&](const Sentences& s) {
            float* g = all_g + s.first * 3 * width;
            for (std::int64_t p = 0; p < s.positions; ++p) {
                if (p > 0)
                    multiply({g, 3 * width, false, a.inputs[2].data}, s.rows_at(p - 1, a.output.data, width), w,
                             packing);
                for (std::int64_t i = 0; i < s.count; ++i) {
                    float* h = a.output.data + s.row(i, p) * width;
                    step(a.inputs[0].data + s.row(i, p) * 3 * width, p > 0 ? g + i * 3 * width : a.inputs[2].data,
                         p > 0 ? h - width : nullptr, h, width);
                }
            }
        });
    }

    // Backpropagation through time, from the last position to the first, recomputing the gates from the states:
    //   dz = dh∘(h_{p−1} − n)∘z(1 − z),  dn = dh∘(1 − z)∘(1 − n²),  dr = dn∘g_n∘r(1 − r),
    //   dx = (dr, dz, dn),  dg = (dr, dz, dn∘r),  dh_{p−1} += dh∘z + dg·Wᵀ,  dW = Σ_p h_{p−1}ᵀ·dg,  db = Σ_p dg
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dw = a.input_gradients[1], db = a.input_gradients[2];
        const std::int64_t width = a.output.shape[2], cells = a.output.shape.elements(), rows = cells / width;
        float *previous = scratch(4 * cells + a.output.shape[0] * width), *g = previous + cells,
              *all_dh = g + 3 * cells;
        const Operand w = matrix(a.inputs[1].data, width, 3 * width);
        const PackingTicket packing = new_packing(2);
        for_sentences(a.pool, a.output.shape, [&](const Sentences& s) {
            copy_previous(s, a.output.data, width, previous);
            multiply({g + s.row(0, 0) * 3 * width, 3 * width, false, a.inputs[2].data},
                     matrix(previous + s.row(0, 0) * width, s.count * s.positions, width), w, packing);
            float* dh = all_dh + s.first * width;
            std::fill_n(dh, s.count * width, 0.0f);
            for (std::int64_t p = s.positions - 1; p >= 0; --p) {
                for (std::int64_t i = 0; i < s.count; ++i) step_back(a, s.row(i, p), previous, g, dh + i * width);
                if (p > 0) multiply({dh, width, true}, s.rows_at(p, g, 3 * width), w.transposed(), packing + 1);
            }
        });
        recurrent_weight_gradients(a.pool, matrix(previous, rows, width), matrix(g, rows, 3 * width), dw, db);
    }

    // gru_gates explains the products h·W inside the gates.
    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.output_shape[2], row = a.offset / width, feature = a.offset % width,
                           x = row * 3 * width + feature;
        const float* h = row % a.output_shape[1] > 0 ? a.output.data + (row - 1) * width : nullptr;
        const auto part = [&](int gate) { return recurrent_part(h, a.inputs[1], a.inputs[2], gate * width + feature); };
        const double x_r = a.inputs[0].data[x], x_z = a.inputs[0].data[x + width],
                     x_n = a.inputs[0].data[x + 2 * width], r = sigmoid(x_r + part(0)), z = sigmoid(x_z + part(1)),
                     n = std::tanh(x_n + r * part(2)), before = h ? static_cast<double>(h[feature]) : 0.0;
        OpExplanation e{"(1 − z) · n + z · h",
                        "(1 − " + format_number(z) + ") · " + format_number(n) + " + " + format_number(z) + " · " +
                            format_number(before),
                        N_("the new part, (1 − z) · n; then the old part, z · h"),
                        {},
                        (1.0 - z) * n + z * before,
                        // A state lies between −1 and 1, but its candidate is the tanh of a sum that may cancel.
                        {.rounded = 1.0}};
        e.terms.push_back({{{0, x + 2 * width, x_n}, {0, x + width, x_z}, {0, x, x_r}}, (1.0 - z) * n});
        if (h) e.terms.push_back({{{OperandCell::own_output, a.offset - width, before}}, z * before});
        return e;
    }

    bool backward_reads_output() const override { return true; }

private:
    static void step(const float* x, const float* g, const float* before, float* h, std::int64_t width) {
        for_lanes(0, width, [&](std::int64_t c, std::int64_t count) {
            const Gates gates(x + c, g + c, width, count);
            const Floats old = before ? load_floats(before + c, count) : Floats{};
            store_floats(h + c, (1.0f - gates.z) * gates.n + gates.z * old, count);
        });
    }

    /// One sentence at one position: reads dh from the positions after it, leaves dh∘z there and writes dg over g.
    static void step_back(const BackwardArgs& a, std::int64_t row, const float* previous, float* all_g, float* dh) {
        const GradientSlot dx = a.input_gradients[0];
        const std::int64_t width = a.output.shape[2];
        const float *x = a.inputs[0].data + row * 3 * width, *before = previous + row * width,
                    *dy = a.output_gradient.data + row * width;
        float* g = all_g + row * 3 * width;
        const auto write_dx = [&](std::int64_t cell, Floats value, std::int64_t count) {
            float* out = dx.data + row * 3 * width + cell;
            store_floats(out, dx.accumulate ? value + load_floats(out, count) : value, count);
        };
        for_lanes(0, width, [&](std::int64_t c, std::int64_t count) {
            const auto [r, z, n, g_n] = Gates(x + c, g + c, width, count);
            const Floats d = load_floats(dy + c, count) + load_floats(dh + c, count),
                         dz = d * (load_floats(before + c, count) - n) * z * (1.0f - z),
                         dn = d * (1.0f - z) * (1.0f - n * n), dr = dn * g_n * r * (1.0f - r);
            if (dx.data) {
                write_dx(c, dr, count);
                write_dx(width + c, dz, count);
                write_dx(2 * width + c, dn, count);
            }
            store_floats(g + c, dr, count);
            store_floats(g + width + c, dz, count);
            store_floats(g + 2 * width + c, dn * r, count);
            store_floats(dh + c, d * z, count);
        });
    }
};

class GruGates final : public OpWithoutGradient {
public:
    std::string_view name() const override { return "gru_gates"; }
    OpTraits traits() const override { return {.role = OpRole::observer, .title = N_("gates")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 4 || !fit(in[0], in[2], in[3]) || in[1] != Shape{in[0][0], in[0][1], in[2][0]})
            shape_error(*this, "expected x [B, P, 3D], h [B, P, D], W_hh [D, 3D] and b [3D]", in);
        return in[0];
    }

    // Computes the products in the memory of the gates.
    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.inputs[1].shape[2];
        const Operand w = matrix(a.inputs[2].data, width, 3 * width);
        const PackingTicket packing = new_packing();
        for_sentences(a.pool, a.inputs[1].shape, [&](const Sentences& s) {
            for (std::int64_t i = 0; i < s.count && s.positions > 0; ++i) {
                float* g = a.output.data + s.row(i, 0) * 3 * width;
                std::copy_n(a.inputs[3].data, 3 * width, g);
                multiply({g + 3 * width, 3 * width, false, a.inputs[3].data},
                         matrix(a.inputs[1].data + s.row(i, 0) * width, s.positions - 1, width), w, packing);
                for (std::int64_t p = 0; p < s.positions; ++p, g += 3 * width)
                    make_gates(a.inputs[0].data + s.row(i, p) * 3 * width, g, width);
            }
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.inputs[1].shape[2], row = a.offset / (3 * width), column = a.offset % (3 * width);
        const bool candidate = column >= 2 * width, first = row % a.output_shape[1] == 0;
        const std::string gate = candidate ? "n" : column < width ? "r" : "z";
        // The r gate decides how much of the previous state the candidate uses.
        const OperandCell reset{OperandCell::own_output, a.offset - 2 * width,
                                candidate ? static_cast<double>(a.output.data[a.offset - 2 * width]) : 1.0};
        OpExplanation e{candidate ? "n = tanh(x + r · (Σ h·W + b))" : gate + " = σ(x + Σ h·W + b)",
                        "",
                        candidate ? N_("x; then r · h · W, feature by feature of the state before; then r · b")
                                  : N_("x; then h · W, feature by feature of the state before; then the bias"),
                        {},
                        0.0,
                        {.join = TermJoin::product, .inside = candidate ? N_("inside tanh") : N_("inside σ")}};
        double recurrent = 0.0;
        const auto add_term = [&](std::vector<OperandCell> operands, double product) {
            if (candidate) operands.push_back(reset);
            e.terms.push_back({std::move(operands), reset.value * product});
            recurrent += product;
        };
        const double x = a.inputs[0].data[a.offset], b = a.inputs[3].data[column];
        e.terms.push_back({{{0, a.offset, x}}, x});
        for (std::int64_t i = 0; i < width && !first; ++i) {
            const std::int64_t state = (row - 1) * width + i, weight = i * 3 * width + column;
            const double h = a.inputs[1].data[state], w = a.inputs[2].data[weight];
            add_term({{1, state, h}, {2, weight, w}}, h * w);
        }
        add_term({{3, column, b}}, b);
        const double sum = x + reset.value * recurrent;
        e.value = candidate ? std::tanh(sum) : sigmoid(sum);
        e.numbers = (candidate ? "tanh(" : "σ(") + format_number(x) + " + " +
                    (candidate ? format_number(reset.value) + " · " : "") + format_number(recurrent) + ")";
        return e;
    }

private:
    static void make_gates(const float* x, float* g, std::int64_t width) {
        for_lanes(0, width, [&](std::int64_t c, std::int64_t count) {
            const Gates gates(x + c, g + c, width, count);
            store_floats(g + c, gates.r, count);
            store_floats(g + width + c, gates.z, count);
            store_floats(g + 2 * width + c, gates.n, count);
        });
    }
};

}  // namespace

OpPtr recurrent_tanh() { return std::make_shared<RecurrentTanh>(); }
OpPtr recurrent_gru() { return std::make_shared<RecurrentGru>(); }
OpPtr gru_gates() { return std::make_shared<GruGates>(); }

}  // namespace glassformer::ops
