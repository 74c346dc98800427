#pragma once

// How the linear ops split their products into pieces of work.

#include "core/ops/kernel.h"
#include "core/ops/product.h"

namespace glassformer::kernel {

/// Rows per piece of a matrix product: at least a few register tiles, and about sixteen pieces for a large matrix.
inline std::int64_t product_rows(std::int64_t rows) { return std::max<std::int64_t>(28, ceil_div(rows, 16)); }

/// The pieces of a deep product of `rows` by `columns`: tiles of the result. If there are more than 256 columns, a tile
/// has 126 rows, or a sixteenth of all rows if that is more, and 256 columns, so that packing the right operand pays
/// off and is shared by many rows.
struct DeepPieces {
    Pieces rows, columns;
    std::int64_t count;
    DeepPieces(std::int64_t row_count, std::int64_t column_count)
        : rows(row_count,
               column_count > 256 ? std::max<std::int64_t>(126, product_rows(row_count)) : product_rows(row_count)),
          columns(column_count, 256),
          count(rows.count * columns.count) {}
    Pieces::Piece row(std::int64_t i) const { return rows[i % rows.count]; }
    Pieces::Piece column(std::int64_t i) const { return columns[i / rows.count]; }
};

/// Computes piece i of a deep product. `packing` is the first of a series of tickets, one per piece of columns.
inline void multiply_deep(const Target& target, const Operand& a, const Operand& b, const DeepPieces& pieces,
                          std::int64_t i, PackingTicket packing) {
    const Pieces::Piece row = pieces.row(i), column = pieces.column(i);
    multiply({target.data + row.begin * target.row_stride + column.begin, target.row_stride, target.accumulate},
             a.middle_rows(row.begin, row.count), b.middle_columns(column.begin, column.count),
             packing + static_cast<PackingTicket>(i / pieces.rows.count));
}

/// The pieces of a product whose right operand is too large to stay packed as a whole, or that has too few rows for all
/// threads: strips of the right operand's columns, split into parts of the rows. Pieces of one strip are consecutive,
/// so that a thread packs it once.
struct StripPieces {
    Pieces columns;
    std::int64_t rows, parts, count;
    StripPieces(std::int64_t row_count, std::int64_t column_count, std::int64_t width)
        : columns(column_count, width),
          rows(row_count),
          parts(columns.count < 16 && row_count < 126 ? ceil_div(row_count, 64) : ceil_div(row_count, 126)),
          count(columns.count * parts) {}
    Pieces::Piece row(std::int64_t i) const {
        const std::int64_t begin = rows * (i % parts) / parts;
        return {begin, rows * (i % parts + 1) / parts - begin};
    }
};

/// Columns per strip. One row times a matrix stored by columns is not packed, so its strips may be narrow, which makes
/// all threads finish at the same time.
inline std::int64_t strip_columns(std::int64_t rows, std::int64_t columns, bool by_columns) {
    return rows == 1 && by_columns ? 32 : columns < 2048 ? 128 : 256;
}

/// Whether strips pay off. Small products are split by rows only, each piece with the whole right operand packed.
inline bool wants_strips(std::int64_t rows, std::int64_t depth, std::int64_t columns, bool by_columns) {
    if (rows == 1 && by_columns) return depth * columns > (std::int64_t{1} << 15);
    const bool stays_packed = ceil_div(depth, 256) * ceil_div(columns, 256) < 8, few_rows = rows < 4 * 28;
    return columns >= 256 && (!stays_packed || few_rows) && rows * depth * columns > (std::int64_t{1} << 19);
}

/// target (+)= a·b, the whole product, on all threads; b is an Operand or a TypedMatrix.
template <class Right>
void multiply_all(ThreadPool& pool, const Target& target, const Operand& a, const Right& b) {
    const bool by_columns = b.column_stride != 1;
    if (!wants_strips(a.rows, a.columns, b.columns, by_columns)) {
        const PackingTicket packing = new_packing();
        for_ranges(pool, a.rows, product_rows(a.rows), [&](std::int64_t begin, std::int64_t end) {
            multiply({target.data + begin * target.row_stride, target.row_stride, target.accumulate, target.bias},
                     a.middle_rows(begin, end - begin), b, packing);
        });
        return;
    }
    const StripPieces pieces(a.rows, b.columns, strip_columns(a.rows, b.columns, by_columns));
    const PackingTicket packing = new_packing(pieces.columns.count);
    pool.run(pieces.count, [&](std::int64_t i) {
        const Pieces::Piece row = pieces.row(i), column = pieces.columns[i / pieces.parts];
        multiply({target.data + row.begin * target.row_stride + column.begin, target.row_stride, target.accumulate,
                  target.bias ? target.bias + column.begin : nullptr},
                 a.middle_rows(row.begin, row.count), b.middle_columns(column.begin, column.count),
                 packing + static_cast<PackingTicket>(i / pieces.parts));
    });
}

}  // namespace glassformer::kernel
