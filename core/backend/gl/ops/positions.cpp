// Ops that know where a word stands: rotary, alibi; and mean_pool, which forgets it.
#include <cmath>

#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl::record {

void alibi(Recorder& gl, const GlStep& s) {
    const Shape& shape = s.output.shape;
    gl.dispatch("alibi")
        .in("x", s.inputs[0].span)
        .out("y", s.output.span)
        .set("count", shape.elements())
        .set("heads", shape[1])
        .set("queries", shape[2])
        .set("keys", shape[3])
        .over_cells(shape.elements());
}

// What is subtracted does not depend on the scores.
void alibi_backward(Recorder& gl, const GlStep& s) { record_copy(gl, s.output_gradient.span, s.gradients[0]); }

namespace {

// cos and sin of every angle, in double: in float the rounding of p · step would be felt at large p.
std::vector<float> angles(std::int64_t positions, std::int64_t width, double base) {
    std::vector<float> table;
    for (std::int64_t p = 0; p < positions; ++p)
        for (std::int64_t i = 0; i < width / 2; ++i) {
            const double angle =
                static_cast<double>(p) * std::pow(base, -static_cast<double>(2 * i) / static_cast<double>(width));
            table.push_back(static_cast<float>(std::cos(angle)));
            table.push_back(static_cast<float>(std::sin(angle)));
        }
    return table;
}

void record_turn(Recorder& gl, const GlStep& s, const Span& x, const GlSlot& y, double direction) {
    const Shape& shape = s.output.shape;
    if (shape.elements() == 0) return;
    const Span table = gl.constants(angles(shape[1], shape[3], attribute(s.op, "base")));
    gl.dispatch("rotary")
        .in("x", x)
        .in("angles", table)
        .add_to("y", y.span, y.accumulate)
        .set("count", shape.elements() / 2)
        .set("positions", shape[1])
        .set("heads", shape[2])
        .set("pairs", shape[3] / 2)
        .set("direction", direction)
        .over_cells(shape.elements() / 2);
}

}  // namespace

void rotary(Recorder& gl, const GlStep& s) { record_turn(gl, s, s.inputs[0].span, {s.output.span, false}, 1.0); }

// A rotation's transpose is the rotation the other way.
void rotary_backward(Recorder& gl, const GlStep& s) {
    record_turn(gl, s, s.output_gradient.span, s.gradients[0], -1.0);
}

void mean_pool(Recorder& gl, const GlStep& s) {
    const Shape& x = s.inputs[0].shape;
    gl.dispatch("mean_pool")
        .in("x", s.inputs[0].span)
        .in("keep", s.inputs[1].span)
        .out("y", s.output.span)
        .set("count", s.output.shape.elements())
        .set("positions", x[1])
        .set("width", x[2])
        .over_cells(s.output.shape.elements());
}

void mean_pool_backward(Recorder& gl, const GlStep& s) {
    const Shape& x = s.inputs[0].shape;
    gl.dispatch("mean_pool_backward")
        .in("dy", s.output_gradient.span)
        .in("keep", s.inputs[1].span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .set("count", x.elements())
        .set("positions", x[1])
        .set("width", x[2])
        .over_cells(x.elements());
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

}  // namespace glassformer::gl::record
