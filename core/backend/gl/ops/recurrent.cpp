// Recurrent layers: positions depend on one another, so each position is a separate dispatch over all sentences.

#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/products.h"

namespace glassformer::gl {

namespace {

/// States [B, P, D].
struct States {
    std::int64_t batch, positions, width;
    explicit States(const Shape& h) : batch(h[0]), positions(h[1]), width(h[2]) {}

    std::int64_t rows() const { return batch * positions; }
    std::int64_t cells() const { return rows() * width; }
    /// One invocation per feature of each sentence. Its backward loops run over the three gates.
    void run(Dispatch& d, std::int64_t position) const {
        d.set("positions", positions).set("width", width).set("position", position);
        d.loops(3 * width);
        d.over_cells(batch * width);
    }
};

/// The states one position earlier, zeros at the first.
Span record_previous(Recorder& gl, const States& n, const Span& h) {
    const Span previous = gl.scratch(n.cells());
    gl.dispatch("recurrent_previous")
        .in("h", h)
        .out("y", previous)
        .set("positions", n.positions)
        .set("width", n.width)
        .over_cells(n.cells());
    return previous;
}

/// dW = previousᵀ·d and db = Σ d, for d [rows, columns].
void record_weight_gradients(Recorder& gl, const States& n, const Span& previous, const Span& d, std::int64_t columns,
                             const GlSlot& dw, const GlSlot& db) {
    if (dw.span)
        record_product(gl, "linear_backward", {n.width, columns, n.rows()}, Matrices{previous, n.width}.transposed(),
                       {d, columns}, {dw.span, columns}, dw.accumulate);
    if (db.span) record_column_sums(gl, d, n.rows(), columns, db);
}

/// Forward pass of both layers, position by position.
void record_states(Recorder& gl, const GlStep& s) {
    const States n(s.output.shape);
    for (std::int64_t p = 0; p < n.positions; ++p) {
        Dispatch d = gl.dispatch(std::string(s.op.name()));
        d.in("x", s.inputs[0].span).in("w", s.inputs[1].span).in("b", s.inputs[2].span).out("h", s.output.span);
        n.run(d, p);
    }
}

void recurrent_tanh_backward(Recorder& gl, const GlStep& s) {
    const States n(s.output.shape);
    const Span da = gl.scratch(n.cells());
    for (std::int64_t p = n.positions - 1; p >= 0; --p) {
        Dispatch d = gl.dispatch("recurrent_tanh_backward");
        d.in("w", s.inputs[1].span).in("h", s.output.span).in("dh", s.output_gradient.span).out("da", da);
        n.run(d, p);
    }
    if (s.gradients[0].span) record_copy(gl, da, s.gradients[0]);
    const Span previous = s.gradients[1].span ? record_previous(gl, n, s.output.span) : Span{};
    record_weight_gradients(gl, n, previous, da, n.width, s.gradients[1], s.gradients[2]);
}

// Recomputes the gates from the states. The remainder of a step, dh ∘ z, is carried to the previous one.
void recurrent_gru_backward(Recorder& gl, const GlStep& s) {
    const States n(s.output.shape);
    const std::int64_t columns = 3 * n.width;
    const Span previous = record_previous(gl, n, s.output.span), g = gl.scratch(3 * n.cells()),
               carry = gl.scratch(n.batch * n.width);
    record_product(gl, "linear", {n.rows(), columns, n.width}, {previous, n.width}, {s.inputs[1].span, columns},
                   {g, columns}, false, s.inputs[2].span);
    const GlSlot& dx = s.gradients[0];
    for (std::int64_t p = n.positions - 1; p >= 0; --p) {
        Dispatch d = gl.dispatch("recurrent_gru_backward");
        d.define("DX", dx.span ? 1 : 0).in("x", s.inputs[0].span).in("w", s.inputs[1].span).in("previous", previous);
        d.in("dh", s.output_gradient.span).out("g", g).out("carry", carry);
        if (dx.span)
            d.add_to("dx", dx.span, dx.accumulate);
        else
            d.set("dx_first", 0).set("dx_add", 0);
        n.run(d, p);
    }
    record_weight_gradients(gl, n, previous, g, columns, s.gradients[1], s.gradients[2]);
}

void gru_gates(Recorder& gl, const GlStep& s) {
    const States n(s.inputs[1].shape);
    gl.dispatch("gru_gates")
        .in("x", s.inputs[0].span)
        .in("h", s.inputs[1].span)
        .in("w", s.inputs[2].span)
        .in("b", s.inputs[3].span)
        .out("gates", s.output.span)
        .set("positions", n.positions)
        .set("width", n.width)
        .loops(n.width)
        .over_cells(n.cells());
}

}  // namespace

extern const GlOp gl_recurrent_tanh{"recurrent_tanh", record_states, recurrent_tanh_backward};
extern const GlOp gl_recurrent_gru{"recurrent_gru", record_states, recurrent_gru_backward};
extern const GlOp gl_gru_gates{"gru_gates", gru_gates};

}  // namespace glassformer::gl
