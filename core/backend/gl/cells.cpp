#include "core/backend/gl/gl_ops.h"
#include "core/base/ceil_div.h"

namespace glassformer::gl {

void record_fill(Recorder& gl, const Span& target, double value) {
    each_part(target.cells, lines_at_once(gl, target.cells, 1), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("fill").out("y", target.part(first, count)).set("value", value).over_cells(count);
    });
}

// `broken` is recorded as only read: all writers write the same value, so none has to wait for another.
void record_finite(Recorder& gl, const Span& x, const Span& broken) {
    each_part(x.cells, lines_at_once(gl, x.cells, 1), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("finite").in("x", x.part(first, count)).in("broken", broken).over_cells(count);
    });
}

void record_scaled(Recorder& gl, const Span& x, const GlSlot& y, double factor) {
    each_part(x.cells, lines_at_once(gl, x.cells, 1), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("scale")
            .in("x", x.part(first, count))
            .add_to("y", y.span.part(first, count), y.accumulate)
            .set("factor", factor)
            .over_cells(count);
    });
}

void record_copy(Recorder& gl, const Span& x, const GlSlot& y) {
    const bool there = x.buffer == y.span.buffer && x.offset == y.span.offset;
    if (!there) record_scaled(gl, x, y, 1.0);
}

void record_column_sums(Recorder& gl, const Span& x, std::int64_t rows, std::int64_t columns, const GlSlot& sum) {
    constexpr std::int64_t group_columns = 32;
    each_part(rows, lines_to_walk(gl, rows, columns), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("column_sums")
            .define("ROWS_SIDE", gl.tuning().lanes > 1 && count >= 64 ? 16 : 1)
            .in("x", x.part(first * columns, count * columns))
            .add_to("sum", sum.span, sum.accumulate || first > 0)
            .set("rows", count)
            .set("columns", columns)
            .loops(count)
            .groups(ceil_div(columns, group_columns));
    });
}

}  // namespace glassformer::gl
