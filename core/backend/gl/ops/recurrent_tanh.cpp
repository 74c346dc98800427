#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/recurrent.h"

namespace glassformer::gl {

namespace {

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

}  // namespace

extern const GlOp gl_recurrent_tanh{"recurrent_tanh", record_states, recurrent_tanh_backward};

}  // namespace glassformer::gl
