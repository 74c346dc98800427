#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/norm_rows.h"

namespace glassformer::gl {

namespace {

void layer_norm_mean(Recorder& gl, const GlStep& s) {
    const Rows n(s.inputs[0].shape);
    gl.dispatch("layer_norm_mean")
        .in("x", s.inputs[0].span)
        .out("mean", s.output.span)
        .set("rows", n.count)
        .set("width", n.width)
        .over_rows(n.count, n.width);
}

}  // namespace

extern const GlOp gl_layer_norm_mean{"layer_norm_mean", layer_norm_mean};

}  // namespace glassformer::gl
