#pragma once

// How the linear ops cut their products into pieces of work.

#include "core/ops/kernel.h"
#include "core/ops/product.h"

namespace glassformer::kernel {

/// Rows per piece of a matrix product: a few register tiles at least, and some sixteen pieces of a large matrix.
inline std::int64_t product_rows(std::int64_t rows) { return std::max<std::int64_t>(28, ceil_div(rows, 16)); }

/// The pieces of a product of `rows` by `columns` that is deep: tiles of the result, of which a large one has at most
/// 126 by 256 cells, so that packing the right operand pays and is shared by many rows.
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

/// Piece i of a deep product. `packing` is the first ticket of one for each piece of columns.
inline void multiply_deep(const Target& target, const Operand& a, const Operand& b, const DeepPieces& pieces,
                          std::int64_t i, PackingTicket packing) {
    const Pieces::Piece row = pieces.row(i), column = pieces.column(i);
    multiply({target.data + row.begin * target.row_stride + column.begin, target.row_stride, target.accumulate},
             a.middle_rows(row.begin, row.count), b.middle_columns(column.begin, column.count),
             packing + static_cast<PackingTicket>(i / pieces.rows.count));
}

}  // namespace glassformer::kernel
