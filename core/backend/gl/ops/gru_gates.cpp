#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/recurrent.h"

namespace glassformer::gl {

namespace {

void gru_gates(Recorder& gl, const GlStep& s) {
    const States n(s.inputs[1].shape);
    gl.dispatch("gru_gates")
        .in("x", s.inputs[0].span)
        .in("h", s.inputs[1].span)
        .in("w", s.inputs[2].span)
        .in("b", s.inputs[3].span)
        .out("gates", s.output.span)
        .set("count", n.cells())
        .set("positions", n.positions)
        .set("width", n.width)
        .loops(n.width)
        .over_cells(n.cells());
}

}  // namespace

extern const GlOp gl_gru_gates{"gru_gates", gru_gates};

}  // namespace glassformer::gl
