#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void word_pool(Recorder& gl, const GlStep& s) {
    const Shape& x = s.inputs[0].shape;
    gl.dispatch("word_pool")
        .in("x", s.inputs[0].span)
        .in("keep", s.inputs[1].span)
        .out("y", s.output.span)
        .set("count", s.output.shape.elements())
        .set("positions", x[1])
        .set("width", x[2])
        .set("last", static_cast<std::int64_t>(attribute(s.op, "last")))
        .loops(x[1])
        .over_cells(s.output.shape.elements());
}

void word_pool_backward(Recorder& gl, const GlStep& s) {
    const Shape& x = s.inputs[0].shape;
    gl.dispatch("word_pool_backward")
        .in("dy", s.output_gradient.span)
        .in("keep", s.inputs[1].span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .set("count", x.elements())
        .set("positions", x[1])
        .set("width", x[2])
        .set("last", static_cast<std::int64_t>(attribute(s.op, "last")))
        .loops(x[1])
        .over_cells(x.elements());
}

}  // namespace

extern const GlOp gl_word_pool{"word_pool", word_pool, word_pool_backward};

}  // namespace glassformer::gl
