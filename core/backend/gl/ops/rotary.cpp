#include "core/ops/rotary.h"

#include <cmath>

#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

/// cos and sin of the angle of every position and pair, computed in double: in float, rounding p · step would matter at
/// large p.
std::vector<float> angles(std::int64_t positions, const kernel::Rotation& rotation) {
    std::vector<float> table;
    for (std::int64_t p = 0; p < positions; ++p)
        for (std::int64_t i = 0; i < rotation.dims / 2; ++i) {
            const double angle = static_cast<double>(p) * rotation.turn_per_position(i);
            table.push_back(static_cast<float>(std::cos(angle)));
            table.push_back(static_cast<float>(std::sin(angle)));
        }
    return table;
}

void record_turn(Recorder& gl, const GlStep& s, const Span& x, const GlSlot& y, double direction) {
    const Shape& shape = s.output.shape;
    if (shape.elements() == 0) return;
    const kernel::Rotation rotation = kernel::rotation_of(s.op, shape[3]);
    // The first row's position is only known when the shader runs, so the table covers all positions.
    const auto most = static_cast<std::int64_t>(attribute(s.op, "positions"));
    const Span table = gl.constants(angles(most > 0 ? most : shape[1], rotation));
    gl.dispatch("rotary")
        .in("x", x)
        .in("angles", table)
        .in("place", most > 0 ? s.inputs[1].span : table)
        .add_to("y", y.span, y.accumulate)
        .set("positions", shape[1])
        .set("heads", shape[2])
        .set("width", shape[3])
        .set("pairs", rotation.dims / 2)
        .set("halves", rotation.options.halves ? 1 : 0)
        .set("at_place", most > 0 ? 1 : 0)
        .set("direction", direction)
        .over_cells(shape.elements());
}

void rotary(Recorder& gl, const GlStep& s) { record_turn(gl, s, s.inputs[0].span, {s.output.span, false}, 1.0); }

// The transpose of a rotation is the opposite rotation.
void rotary_backward(Recorder& gl, const GlStep& s) {
    record_turn(gl, s, s.output_gradient.span, s.gradients[0], -1.0);
}

}  // namespace

extern const GlOp gl_rotary{"rotary", rotary, rotary_backward};

}  // namespace glassformer::gl
