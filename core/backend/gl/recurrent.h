#pragma once

// Recurrent layers: their positions follow one another, so each is a dispatch of its own, over all sentences.

#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/products.h"

namespace glassformer::gl {

/// States [B, P, D].
struct States {
    std::int64_t batch, positions, width;
    explicit States(const Shape& h) : batch(h[0]), positions(h[1]), width(h[2]) {}

    std::int64_t rows() const { return batch * positions; }
    std::int64_t cells() const { return rows() * width; }
    /// One invocation for each feature of each sentence; backward, it goes over the three gates.
    void run(Dispatch& d, std::int64_t position) const {
        d.set("count", batch * width).set("positions", positions).set("width", width).set("position", position);
        d.loops(3 * width);
        d.over_cells(batch * width);
    }
};

/// The states one position earlier, zeros at the first.
inline Span record_previous(Recorder& gl, const States& n, const Span& h) {
    const Span previous = gl.scratch(n.cells());
    gl.dispatch("recurrent_previous")
        .in("h", h)
        .out("y", previous)
        .set("count", n.cells())
        .set("positions", n.positions)
        .set("width", n.width)
        .over_cells(n.cells());
    return previous;
}

/// dW = previousᵀ·d and db = Σ d, for d [rows, columns].
inline void record_weight_gradients(Recorder& gl, const States& n, const Span& previous, const Span& d,
                                    std::int64_t columns, const GlSlot& dw, const GlSlot& db) {
    if (dw.span)
        record_product(gl, "linear_backward", {n.width, columns, n.rows()}, Matrices{previous, n.width}.transposed(),
                       {d, columns}, {dw.span, columns}, dw.accumulate);
    if (db.span) record_column_sums(gl, d, n.rows(), columns, db);
}

/// Forward of both layers, one position after the other.
inline void record_states(Recorder& gl, const GlStep& s) {
    const States n(s.output.shape);
    for (std::int64_t p = 0; p < n.positions; ++p) {
        Dispatch d = gl.dispatch(std::string(s.op.name()));
        d.in("x", s.inputs[0].span).in("w", s.inputs[1].span).in("b", s.inputs[2].span).out("h", s.output.span);
        n.run(d, p);
    }
}

}  // namespace glassformer::gl
