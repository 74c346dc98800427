#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

/// Sets a mask's constants: which keys exist, and how far a window reaches.
Dispatch& with_table(Dispatch& d, const GlStep& s, const Shape& scores) {
    d.set("keys", scores[3]);
    if (s.inputs.size() > 1) return d.in("keep", s.inputs[1].span).set("rows", scores[1] * scores[2]);
    for (const OpAttribute& a : s.op.attributes()) d.set(std::string(a.name), static_cast<std::int64_t>(a.value));
    return d.set("queries", scores[2]);
}

void mask(Recorder& gl, const GlStep& s) {
    Dispatch d = gl.dispatch(std::string(s.op.name()));
    d.in("x", s.inputs[0].span).out("y", s.output.span);
    with_table(d, s, s.output.shape).over_cells(s.output.shape.elements());
}

void mask_backward(Recorder& gl, const GlStep& s) {
    const Shape& scores = s.output_gradient.shape;
    Dispatch d = gl.dispatch(std::string(s.op.name()) + "_backward");
    d.in("dy", s.output_gradient.span).add_to("dx", s.gradients[0].span, s.gradients[0].accumulate);
    with_table(d, s, scores).over_cells(scores.elements());
}

void alibi(Recorder& gl, const GlStep& s) {
    const Shape& shape = s.output.shape;
    gl.dispatch("alibi")
        .in("x", s.inputs[0].span)
        .in("place", s.inputs.back().span)
        .out("y", s.output.span)
        .set("heads", shape[1])
        .set("queries", shape[2])
        .set("keys", shape[3])
        .set("at_place", s.inputs.size() > 1 ? 1 : 0)
        .over_cells(shape.elements());
}

// The subtracted term does not depend on the scores.
void alibi_backward(Recorder& gl, const GlStep& s) { record_copy(gl, s.output_gradient.span, s.gradients[0]); }

}  // namespace

extern const GlOp gl_mask{"mask", mask, mask_backward};
extern const GlOp gl_mask_causal{"mask_causal", mask, mask_backward};
extern const GlOp gl_mask_window{"mask_window", mask, mask_backward};
extern const GlOp gl_alibi{"alibi", alibi, alibi_backward};

}  // namespace glassformer::gl
