#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void add(Recorder& gl, const GlStep& s) {
    gl.dispatch("add")
        .in("a", s.inputs[0].span)
        .in("b", s.inputs[1].span)
        .out("y", s.output.span)
        .set("count", s.output.shape.elements())
        .set("period", s.inputs[1].shape.elements())
        .over_cells(s.output.shape.elements());
}

// da = dy; db = Σ of dy over the repetitions, which are read before da may be written in their place.
void add_backward(Recorder& gl, const GlStep& s) {
    const std::int64_t period = s.inputs[1].shape.elements(), repeats = s.output.shape.elements() / period;
    if (const GlSlot& db = s.gradients[1]; db.span) {
        if (repeats == 1)
            record_copy(gl, s.output_gradient.span, db);
        else
            record_column_sums(gl, s.output_gradient.span, repeats, period, db);
    }
    if (const GlSlot& da = s.gradients[0]; da.span) record_copy(gl, s.output_gradient.span, da);
}

}  // namespace

extern const GlOp gl_add{"add", add, add_backward};

}  // namespace glassformer::gl
