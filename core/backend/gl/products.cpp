#include "core/backend/gl/products.h"

#include <algorithm>
#include <limits>

#include "core/base/ceil_div.h"

namespace glassformer::gl {

namespace {

constexpr std::int64_t register_tile = 32;  // results per work group along each side, without shared memory

/// True if lines of `cells` cells can be read four at a time.
bool by_four(const Matrices& m, std::int64_t cells) {
    return (cells | m.stride | m.span.offset | m.outer_step | m.inner_step) % 4 == 0 && cells > 0;
}

/// Side of the tiles in shared memory; 0 if the matrices are too small for tiles to pay off. Large tiles pay off if
/// there are enough of them to keep a graphics card busy.
int shared_tile(const Tuning& tuning, const ProductShape& s) {
    constexpr std::int64_t smallest = 32, many = 128;
    if (tuning.product_tile >= 0) return tuning.product_tile;
    if (s.rows < smallest || s.columns < smallest || s.depth < smallest) return 0;
    return ceil_div(s.rows, 128) * ceil_div(s.columns, 128) * s.outer * s.inner >= many ? tuning.tile_many
                                                                                        : tuning.tile_few;
}

/// The largest depth of a product. With tiles in registers, an invocation walks the depth by four; with tiles in shared
/// memory, it loads and then multiplies each step.
std::int64_t most_depth(const Recorder& gl, int tile) {
    const std::int64_t most = gl.device().most_iterations;
    constexpr std::int64_t multiple = 16;  // keeps the alignment of lines to four cells
    return tile > 0 ? std::max(most / 2 / multiple * multiple, multiple)
                    : std::min(most, std::numeric_limits<std::int64_t>::max() / 8) / multiple * multiple * 4;
}

void record_whole(Recorder& gl, const char* shader, const ProductShape& s, const Matrices& a, const Matrices& b,
                  const Matrices& c, bool accumulate, const Span& bias) {
    const int tile = shared_tile(gl.tuning(), s);
    Dispatch d = gl.dispatch(shader);
    d.define("TILE", tile);
    d.define("A_TURNED", a.turned).define("B_TURNED", b.turned).define("BIAS", bias ? 1 : 0);
    d.define("A_QUADS", by_four(a, a.turned ? s.rows : s.depth));
    d.define("B_QUADS", by_four(b, b.turned ? s.depth : s.columns));
    d.in("a", a.span).in("b", b.span).add_to("c", c.span, accumulate);
    if (bias)
        d.in("bias", bias);
    else
        d.set("bias_first", 0);
    d.set("rows", s.rows).set("columns", s.columns).set("depth", s.depth);
    d.set("a_stride", a.stride).set("b_stride", b.stride).set("c_stride", c.stride);
    d.set("inner_count", s.inner);
    d.set("a_outer", a.outer_step).set("a_inner", a.inner_step);
    d.set("b_outer", b.outer_step).set("b_inner", b.inner_step);
    d.set("c_outer", c.outer_step).set("c_inner", c.inner_step);
    d.loops(tile > 0 ? 2 * s.depth : ceil_div(s.depth, 4));
    const std::int64_t side = tile > 0 ? tile : register_tile;
    d.groups(ceil_div(s.columns, side), ceil_div(s.rows, side), s.outer * s.inner);
}

/// Lines first … first + count − 1 of one matrix.
Matrices lines_of(const Matrices& m, std::int64_t first, std::int64_t count) {
    const std::int64_t begin = first * m.stride;
    return {m.span.part(begin, std::min(count * m.stride, m.span.cells - begin)), m.stride, m.turned};
}
/// Cells `first` … of each line of one matrix.
Matrices cells_of(const Matrices& m, std::int64_t first) {
    return {m.span.part(first, m.span.cells - first), m.stride, m.turned};
}
/// Parts along rows or columns of the matrix as multiplied, regardless of its memory layout.
Matrices rows_of(const Matrices& m, std::int64_t first, std::int64_t count) {
    return m.turned ? cells_of(m, first) : lines_of(m, first, count);
}
Matrices columns_of(const Matrices& m, std::int64_t first, std::int64_t count) {
    return m.turned ? lines_of(m, first, count) : cells_of(m, first);
}

/// One product of matrices that are too large to be seen at once, or too deep for one walk, in parts along each side.
void record_parts(Recorder& gl, const char* shader, const ProductShape& s, const Matrices& a, const Matrices& b,
                  const Matrices& c, bool accumulate, const Span& bias) {
    constexpr std::int64_t multiple = 16;  // as in most_depth()
    std::int64_t rows = lines_at_once(gl, s.rows, c.stride, multiple), columns = s.columns,
                 depth = std::min(s.depth, most_depth(gl, shared_tile(gl.tuning(), s)));
    (a.turned ? depth : rows) =
        std::min(a.turned ? depth : rows, lines_at_once(gl, a.turned ? s.depth : s.rows, a.stride, multiple));
    (b.turned ? columns : depth) =
        std::min(b.turned ? columns : depth, lines_at_once(gl, b.turned ? s.columns : s.depth, b.stride, multiple));
    each_part(s.rows, rows, [&](std::int64_t row, std::int64_t row_count) {
        each_part(s.columns, columns, [&](std::int64_t column, std::int64_t column_count) {
            const Matrices to = cells_of(lines_of(c, row, row_count), column);
            each_part(s.depth, depth, [&](std::int64_t k, std::int64_t k_count) {
                record_whole(gl, shader, {row_count, column_count, k_count},
                             columns_of(rows_of(a, row, row_count), k, k_count),
                             columns_of(rows_of(b, k, k_count), column, column_count), to, accumulate || k > 0,
                             bias && k == 0 ? bias.part(column, column_count) : Span{});
            });
        });
    });
}

}  // namespace

void record_product(Recorder& gl, const char* shader, const ProductShape& s, const Matrices& a, const Matrices& b,
                    const Matrices& c, bool accumulate, const Span& bias) {
    const std::int64_t most = gl.device().most_cells();
    const bool large = a.span.cells > most || b.span.cells > most || c.span.cells > most;
    const bool deep = s.depth > most_depth(gl, shared_tile(gl.tuning(), s));
    if ((large || deep) && s.outer * s.inner == 1)
        record_parts(gl, shader, s, a, b, c, accumulate, bias);
    else
        record_whole(gl, shader, s, a, b, c, accumulate, bias);
}

}  // namespace glassformer::gl
