// The row-wise norms; see core/ops/norm_rows.h.

#include "core/backend/gl/gl_ops.h"
#include "core/base/ceil_div.h"

namespace glassformer::gl {

namespace {

/// x [.., D] as rows of D features.
struct Rows {
    std::int64_t width, count;
    explicit Rows(const Shape& x) : width(x.back()), count(x.elements() / x.back()) {}
};

/// Forward pass of the scale, from x and, in LayerNorm, its mean.
void norm_scale(Recorder& gl, const GlStep& s) {
    const Rows n(s.inputs[0].shape);
    Dispatch d = gl.dispatch(std::string(s.op.name()));
    d.in("x", s.inputs[0].span).out("scale", s.output.span);
    if (s.inputs.size() > 1) d.in("mean", s.inputs[1].span);
    d.set("epsilon", attribute(s.op, "epsilon")).over_rows(n.count, n.width);
}

/// Forward pass of x̂, from x, in LayerNorm its mean, and the scale.
void norm_normalize(Recorder& gl, const GlStep& s) {
    const Shape& y = s.output.shape;
    Dispatch d = gl.dispatch(std::string(s.op.name()));
    d.in("x", s.inputs[0].span).in("scale", s.inputs.back().span).out("y", s.output.span);
    if (s.inputs.size() > 2) d.in("mean", s.inputs[1].span);
    d.set("width", y.back()).over_cells(y.elements());
}

void norm_normalize_backward(Recorder& gl, const GlStep& s) {
    const Rows n(s.output.shape);
    gl.dispatch(std::string(s.op.name()) + "_backward")
        .in("y", s.output.span)
        .in("scale", s.inputs.back().span)
        .in("dy", s.output_gradient.span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .over_rows(n.count, n.width);
}

void layer_norm_mean(Recorder& gl, const GlStep& s) {
    const Rows n(s.inputs[0].shape);
    gl.dispatch("layer_norm_mean").in("x", s.inputs[0].span).out("mean", s.output.span).over_rows(n.count, n.width);
}

void norm_affine(Recorder& gl, const GlStep& s) {
    const bool has_beta = s.inputs.size() > 2;
    Dispatch d = gl.dispatch("norm_affine");
    d.define("BETA", has_beta).in("x", s.inputs[0].span).in("gamma", s.inputs[1].span).out("y", s.output.span);
    if (has_beta)
        d.in("beta", s.inputs[2].span);
    else
        d.set("beta_first", 0);
    d.set("period", s.inputs[1].shape.elements()).over_cells(s.output.shape.elements());
}

// The sums come first: in place, dx overwrites dy. If γ is a single number, its gradient is summed by columns into
// scratch, and then over the columns.
void norm_affine_backward(Recorder& gl, const GlStep& s) {
    const Rows n(s.output_gradient.shape);
    const std::int64_t period = s.inputs[1].shape.elements();
    const bool one = period < n.width;
    const auto sums = [&](const GlSlot& slot, bool times_x) {
        if (!slot.span) return;
        const GlSlot by_column = one ? GlSlot{gl.scratch(n.width), false} : slot;
        each_part(n.count, lines_to_walk(gl, n.count, n.width), [&](std::int64_t first, std::int64_t count) {
            constexpr std::int64_t group_columns = 32;
            const std::int64_t at = first * n.width, cells = count * n.width;
            Dispatch d = gl.dispatch("norm_affine_sums");
            d.define("TIMES_X", times_x).define("ROWS_SIDE", gl.tuning().lanes > 1 && count >= 64 ? 16 : 1);
            if (times_x)
                d.in("x", s.inputs[0].span.part(at, cells));
            else
                d.set("x_first", 0);
            d.in("dy", s.output_gradient.span.part(at, cells));
            d.add_to("sum", by_column.span, by_column.accumulate || first > 0);
            d.set("rows", count).set("columns", n.width).loops(count);
            d.groups(ceil_div(n.width, group_columns));
        });
        if (one) record_column_sums(gl, by_column.span, n.width, 1, slot);
    };
    sums(s.gradients[1], true);
    if (s.gradients.size() > 2) sums(s.gradients[2], false);
    const GlSlot& dx = s.gradients[0];
    if (!dx.span) return;
    gl.dispatch("norm_affine_backward")
        .in("dy", s.output_gradient.span)
        .in("gamma", s.inputs[1].span)
        .add_to("dx", dx.span, dx.accumulate)
        .set("period", period)
        .over_cells(dx.span.cells);
}

}  // namespace

extern const GlOp gl_layer_norm_mean{"layer_norm_mean", layer_norm_mean};
extern const GlOp gl_layer_norm_scale{"layer_norm_scale", norm_scale};
extern const GlOp gl_layer_norm_normalize{"layer_norm_normalize", norm_normalize, norm_normalize_backward};
extern const GlOp gl_rms_norm_scale{"rms_norm_scale", norm_scale};
extern const GlOp gl_rms_norm_normalize{"rms_norm_normalize", norm_normalize, norm_normalize_backward};
extern const GlOp gl_norm_affine{"norm_affine", norm_affine, norm_affine_backward};

}  // namespace glassformer::gl
