// Ops that work cell by cell, and the sums over rows that their repeated operands gather.
#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/parts.h"

namespace glassformer::gl {

void record_fill(Recorder& gl, const Span& target, double value) {
    each_part(target.cells, lines_at_once(gl, target.cells, 1), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("fill")
            .out("y", target.part(first, count))
            .set("count", count)
            .set("value", value)
            .over_cells(count);
    });
}

// To the recorder the mark is read: whoever writes it writes the same, so that none has to wait for another.
void record_finite(Recorder& gl, const Span& x, const Span& broken) {
    each_part(x.cells, lines_at_once(gl, x.cells, 1), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("finite").in("x", x.part(first, count)).in("broken", broken).set("count", count).over_cells(count);
    });
}

namespace {

void record_scaled(Recorder& gl, const Span& x, const GlSlot& y, double factor) {
    each_part(x.cells, lines_at_once(gl, x.cells, 1), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("scale")
            .in("x", x.part(first, count))
            .add_to("y", y.span.part(first, count), y.accumulate)
            .set("count", count)
            .set("factor", factor)
            .over_cells(count);
    });
}

}  // namespace

void record_copy(Recorder& gl, const Span& x, const GlSlot& y) {
    const bool there = x.buffer == y.span.buffer && x.offset == y.span.offset;
    if (!there) record_scaled(gl, x, y, 1.0);
}

void record_column_sums(Recorder& gl, const Span& x, std::int64_t rows, std::int64_t columns, const GlSlot& sum) {
    constexpr std::int64_t group_columns = 32;
    each_part(rows, lines_at_once(gl, rows, columns), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("column_sums")
            .define("ROWS_SIDE", gl.tuning().lanes > 1 && count >= 64 ? 16 : 1)
            .in("x", x.part(first * columns, count * columns))
            .add_to("sum", sum.span, sum.accumulate || first > 0)
            .set("rows", count)
            .set("columns", columns)
            .groups((columns + group_columns - 1) / group_columns);
    });
}

namespace record {

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

namespace {

void record_multiplied(Recorder& gl, const Span& a, const Span& b, const GlSlot& y) {
    gl.dispatch("multiply")
        .in("a", a)
        .in("b", b)
        .add_to("y", y.span, y.accumulate)
        .set("count", y.span.cells)
        .over_cells(y.span.cells);
}

}  // namespace

void multiply(Recorder& gl, const GlStep& s) {
    record_multiplied(gl, s.inputs[0].span, s.inputs[1].span, {s.output.span, false});
}

void multiply_backward(Recorder& gl, const GlStep& s) {
    for (std::size_t i = 0; i < 2; ++i)
        if (s.gradients[i].span) record_multiplied(gl, s.output_gradient.span, s.inputs[1 - i].span, s.gradients[i]);
}

void scale(Recorder& gl, const GlStep& s) {
    record_scaled(gl, s.inputs[0].span, {s.output.span, false}, attribute(s.op, "factor"));
}

void scale_backward(Recorder& gl, const GlStep& s) {
    record_scaled(gl, s.output_gradient.span, s.gradients[0], attribute(s.op, "factor"));
}

void activation(Recorder& gl, const GlStep& s) {
    gl.dispatch(std::string(s.op.name()))
        .in("x", s.inputs[0].span)
        .out("y", s.output.span)
        .set("count", s.output.shape.elements())
        .over_cells(s.output.shape.elements());
}

void activation_backward(Recorder& gl, const GlStep& s) {
    const Span& x = s.inputs[0].span ? s.inputs[0].span : s.output.span;  // relu reads its output
    gl.dispatch(std::string(s.op.name()) + "_backward")
        .in("x", x)
        .in("dy", s.output_gradient.span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .set("count", s.output_gradient.shape.elements())
        .over_cells(s.output_gradient.shape.elements());
}

namespace {

void record_dropout(Recorder& gl, const GlStep& s, const Span& x, const GlSlot& y) {
    const double rate = attribute(s.op, "rate");
    gl.dispatch("dropout")
        .in("x", x)
        .in("state", s.inputs[1].span)
        .add_to("y", y.span, y.accumulate)
        .set("count", s.output.shape.elements())
        .set("stream", static_cast<std::int64_t>(attribute(s.op, "stream")))
        .set("threshold", static_cast<std::int64_t>(rate * 4294967296.0))
        .set("factor", 1.0 / (1.0 - rate))
        .over_cells(s.output.shape.elements());
}

}  // namespace

void dropout(Recorder& gl, const GlStep& s) { record_dropout(gl, s, s.inputs[0].span, {s.output.span, false}); }
void dropout_backward(Recorder& gl, const GlStep& s) { record_dropout(gl, s, s.output_gradient.span, s.gradients[0]); }

}  // namespace record

}  // namespace glassformer::gl
