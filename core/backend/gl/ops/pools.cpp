#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

/// One vector per sentence of x [B, P, D].
Dispatch& with_words(Dispatch& d, const GlStep& s, const Shape& x) {
    for (const OpAttribute& a : s.op.attributes()) d.set(std::string(a.name), static_cast<std::int64_t>(a.value));
    return d.in("keep", s.inputs[1].span).set("positions", x[1]).set("width", x[2]);
}

void record_pool(Recorder& gl, const GlStep& s, int times_over_words) {
    const Shape& x = s.inputs[0].shape;
    const std::int64_t cells = s.output.shape.elements();
    Dispatch d = gl.dispatch(std::string(s.op.name()));
    d.in("x", s.inputs[0].span).out("y", s.output.span);
    with_words(d, s, x).loops(times_over_words * x[1]).over_cells(cells);
}

void mean_pool(Recorder& gl, const GlStep& s) { record_pool(gl, s, 2); }
void token_pool(Recorder& gl, const GlStep& s) { record_pool(gl, s, 1); }

void pool_backward(Recorder& gl, const GlStep& s) {
    const Shape& x = s.inputs[0].shape;
    Dispatch d = gl.dispatch(std::string(s.op.name()) + "_backward");
    d.in("dy", s.output_gradient.span).add_to("dx", s.gradients[0].span, s.gradients[0].accumulate);
    with_words(d, s, x).loops(x[1]).over_cells(x.elements());
}

}  // namespace

extern const GlOp gl_mean_pool{"mean_pool", mean_pool, pool_backward};
extern const GlOp gl_token_pool{"token_pool", token_pool, pool_backward};

}  // namespace glassformer::gl
