#include "core/backend/gl/batch_norm_rows.h"
#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void batch_norm_mean(Recorder& gl, const GlStep& s) {
    Dispatch d = gl.dispatch("batch_norm_mean");
    d.in("x", s.inputs[0].span).in("keep", s.inputs[1].span).out("mean", s.output.span);
    with_rows(d, s.inputs[0].shape).over_cells(s.output.shape.elements());
}

}  // namespace

extern const GlOp gl_batch_norm_mean{"batch_norm_mean", batch_norm_mean};

}  // namespace glassformer::gl
