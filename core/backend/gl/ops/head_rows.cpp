#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

Dispatch& with_sizes(Dispatch&& d, const GlStep& s, std::int64_t width) {
    return d.set("width", width).set("times", static_cast<std::int64_t>(attribute(s.op, "times")));
}

void repeat_heads(Recorder& gl, const GlStep& s) {
    with_sizes(gl.dispatch("repeat_heads"), s, s.output.shape[3])
        .in("x", s.inputs[0].span)
        .out("y", s.output.span)
        .set("count", s.output.shape.elements())
        .over_cells(s.output.shape.elements());
}

void repeat_heads_backward(Recorder& gl, const GlStep& s) {
    const Shape& shape = s.output_gradient.shape;
    const auto cells = shape.elements() / static_cast<std::int64_t>(attribute(s.op, "times"));
    with_sizes(gl.dispatch("repeat_heads_backward"), s, shape[3])
        .in("dy", s.output_gradient.span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .set("count", cells)
        .over_cells(cells);
}

void cache_row(Recorder& gl, const GlStep& s) {
    gl.dispatch("cache_row")
        .in("cache", s.inputs[0].span)
        .in("row", s.inputs[1].span)
        .in("position", s.inputs[2].span)
        .out("y", s.output.span)
        .set("count", s.output.shape.elements())
        .set("width", s.inputs[1].shape.elements())
        .over_cells(s.output.shape.elements());
}

}  // namespace

extern const GlOp gl_repeat_heads{"repeat_heads", repeat_heads, repeat_heads_backward};
extern const GlOp gl_cache_row{"cache_row", cache_row};

}  // namespace glassformer::gl
