#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/recurrent.h"

namespace glassformer::gl {

namespace {

// With the gates made anew from the states. What is left of a step, dh ∘ z, is carried to the one before it.
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

}  // namespace

extern const GlOp gl_recurrent_gru{"recurrent_gru", record_states, recurrent_gru_backward};

}  // namespace glassformer::gl
