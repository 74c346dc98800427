#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

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

extern const GlOp gl_cache_row{"cache_row", cache_row};

}  // namespace glassformer::gl
