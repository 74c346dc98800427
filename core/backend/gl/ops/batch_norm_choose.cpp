#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void batch_norm_choose(Recorder& gl, const GlStep& s) {
    gl.dispatch("batch_norm_choose")
        .in("batch", s.inputs[0].span)
        .in("running", s.inputs[1].span)
        .in("state", s.inputs[2].span)
        .out("y", s.output.span)
        .set("count", s.output.shape.elements())
        .over_cells(s.output.shape.elements());
}

}  // namespace

extern const GlOp gl_batch_norm_choose{"batch_norm_choose", batch_norm_choose};

}  // namespace glassformer::gl
