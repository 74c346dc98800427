#include "core/tensor/typed_matrix.h"

#include <algorithm>
#include <array>

namespace glassformer {

namespace {

template <class Bits>
bool no_exponent_is_full(const std::byte* cells, std::int64_t count, Bits exponent) {
    bool full = false;  // branch-free, so that it vectorises
    for (std::int64_t i = 0; i < count; ++i) {
        Bits bits = 0;
        std::memcpy(&bits, cells + static_cast<std::size_t>(i) * sizeof bits, sizeof bits);
        full |= static_cast<Bits>(bits & exponent) == exponent;
    }
    return !full;
}

/// Converts a column-major matrix in tiles, so that source and destination are each accessed along their lines.
void widen_columns(const TypedMatrix& matrix, std::span<float> to) {
    constexpr std::int64_t columns_at_once = 16, rows_at_once = 256;
    std::array<float, columns_at_once * rows_at_once> wide;
    for (std::int64_t c = 0; c < matrix.columns; c += columns_at_once)
        for (std::int64_t r = 0; r < matrix.rows; r += rows_at_once) {
            const std::int64_t columns = std::min(columns_at_once, matrix.columns - c),
                               rows = std::min(rows_at_once, matrix.rows - r);
            for (std::int64_t i = 0; i < columns; ++i)
                widen(matrix, r, c + i, std::span(wide).subspan(i * rows_at_once, rows));
            for (std::int64_t j = 0; j < rows; ++j)
                for (std::int64_t i = 0; i < columns; ++i)
                    to[(r + j) * matrix.columns + c + i] = wide[i * rows_at_once + j];
        }
}

/// Checks the scales at the beginning of the blocks.
bool scales_are_finite(const std::byte* blocks, std::int64_t count) {
    bool full = false;
    for (std::int64_t i = 0; i < count; ++i) {
        std::uint16_t scale = 0;
        std::memcpy(&scale, blocks + i * q8_0_bytes, sizeof scale);
        full |= (scale & 0x7c00u) == 0x7c00u;
    }
    return !full;
}

}  // namespace

void blocks_to_float32(const std::byte* blocks, std::int64_t first, std::span<float> to) {
    while (!to.empty()) {
        std::uint16_t bits = 0;
        std::array<std::int8_t, q8_0_cells> cells;
        std::memcpy(&bits, blocks, sizeof bits);
        std::memcpy(cells.data(), blocks + sizeof bits, sizeof cells);
        const float scale = float_from_half(bits);
        const auto count = std::min<std::int64_t>(q8_0_cells - first, std::ssize(to));
        if (count == q8_0_cells)  // a fixed length vectorises
            for (std::int64_t i = 0; i < q8_0_cells; ++i) to[i] = static_cast<float>(cells[i]) * scale;
        else
            for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(cells[first + i]) * scale;
        to = to.subspan(count);
        blocks += q8_0_bytes;
        first = 0;
    }
}

void widen_row(const TypedMatrix& matrix, std::int64_t row, std::span<float> to) {
    if (matrix.column_stride == 1) return widen(matrix, row, 0, to);
    for (std::size_t c = 0; c < to.size(); ++c) widen(matrix, row, static_cast<std::int64_t>(c), to.subspan(c, 1));
}

void to_float32(const TypedMatrix& matrix, std::span<float> to) {
    if (matrix.column_stride != 1) return widen_columns(matrix, to);
    for (std::int64_t r = 0; r < matrix.rows; ++r) widen_row(matrix, r, to.subspan(r * matrix.columns, matrix.columns));
}

bool all_finite(DType type, const std::byte* cells, std::int64_t count) {
    switch (type) {
        case DType::float32:
            return no_exponent_is_full<std::uint32_t>(cells, count, 0x7f800000u);
        case DType::float16:
            return no_exponent_is_full<std::uint16_t>(cells, count, 0x7c00u);
        case DType::q8_0:
            return scales_are_finite(cells, count / q8_0_cells);
        case DType::bfloat16:
            break;
    }
    return no_exponent_is_full<std::uint16_t>(cells, count, 0x7f80u);
}

}  // namespace glassformer
