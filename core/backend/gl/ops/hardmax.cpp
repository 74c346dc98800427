#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void hardmax(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.output.shape.back(), rows = s.output.shape.elements() / width;
    gl.dispatch("hardmax")
        .in("x", s.inputs[0].span)
        .out("y", s.output.span)
        .set("rows", rows)
        .set("width", width)
        .over_rows(rows, width);
}

}  // namespace

extern const GlOp gl_hardmax{"hardmax", hardmax};

}  // namespace glassformer::gl
