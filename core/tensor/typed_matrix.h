#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace glassformer {

/// The float32 value of an IEEE 754 binary16 number (1 sign, 5 exponent, 10 fraction bits). Exact, even on processors
/// that flush subnormal floats to zero. Branch-free, so that loops over it vectorise.
inline float float_from_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu, exponent = magnitude >> 10;
    // Infinity and NaN: an exponent of all ones stays all ones.
    const std::uint32_t rebias = exponent == 0x1f ? 2u * (127 - 15) << 23 : (127u - 15) << 23;
    // Zero and subnormals are fraction × 2^-24, and 2^-24 is the spacing of floats from 0.5 on.
    const float small = std::bit_cast<float>(0x3f000000u | magnitude) - 0.5f;
    const std::uint32_t bits = exponent == 0 ? std::bit_cast<std::uint32_t>(small) : (magnitude << 13) + rebias;
    return std::bit_cast<float>(bits | sign);
}

/// The float32 value of a bfloat16 number, which is the upper half of a float32; exact.
inline float float_from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// The number type stored in a file. q8_0 is GGUF's: consecutive blocks of 32 numbers, each a binary16 scale followed
/// by 32 signed bytes; a number is their product, rounded to float32.
enum class DType { float32, float16, bfloat16, q8_0 };

inline constexpr std::int64_t q8_0_cells = 32, q8_0_bytes = 34;

/// The size of consecutive cells; for q8_0, of whole blocks.
inline std::int64_t bytes_of(DType type, std::int64_t cells) {
    return type == DType::q8_0 ? cells / q8_0_cells * q8_0_bytes : cells * (type == DType::float32 ? 4 : 2);
}
/// The alignment of cell addresses, in bytes.
inline std::int64_t alignment_of(DType type) { return type == DType::float32 ? 4 : 2; }

/// A matrix as stored in a file, in the file's type: each cell is converted to float32 when used, always to the same
/// value. Does not own its data. One of the strides is 1, and cell addresses are multiples of alignment_of(). For q8_0,
/// the lines along that stride are whole blocks and may be cut only between blocks.
struct TypedMatrix {
    const std::byte* data = nullptr;
    DType type = DType::float32;
    std::int64_t rows = 0, columns = 0, row_stride = 0, column_stride = 0;  // strides in cells

    /// The address of a cell; for q8_0, of its block.
    const std::byte* at(std::int64_t row, std::int64_t column) const {
        return data + bytes_of(type, row * row_stride + column * column_stride);
    }
    TypedMatrix transposed() const { return {data, type, columns, rows, column_stride, row_stride}; }
    TypedMatrix middle_rows(std::int64_t begin, std::int64_t count) const {
        return {at(begin, 0), type, count, columns, row_stride, column_stride};
    }
    TypedMatrix middle_columns(std::int64_t begin, std::int64_t count) const {
        return {at(0, begin), type, rows, count, row_stride, column_stride};
    }
    /// The data if it is float32 already, row by row without gaps; else null.
    const float* floats() const {
        const bool plain = type == DType::float32 && column_stride == 1 && row_stride == columns;
        return plain ? reinterpret_cast<const float*>(data) : nullptr;
    }
};

/// Converts consecutive q8_0 cells to float32, filling `to`, starting at cell `first` of the first block.
void blocks_to_float32(const std::byte* blocks, std::int64_t first, std::span<float> to);

/// Converts consecutive cells to float32, filling `to`; q8_0 must start at the beginning of a block.
inline void to_float32(DType type, const std::byte* cells, std::span<float> to) {
    if (to.empty()) return;
    if (type == DType::q8_0) return blocks_to_float32(cells, 0, to);
    if (type == DType::float32) {
        std::memcpy(to.data(), cells, to.size_bytes());
        return;
    }
    const auto each = [&](const auto& value) {
        for (std::size_t i = 0; i < to.size(); ++i) {
            std::uint16_t bits = 0;
            std::memcpy(&bits, cells + i * sizeof bits, sizeof bits);
            to[i] = value(bits);
        }
    };
    if (type == DType::float16)
        each([](std::uint16_t bits) { return float_from_half(bits); });
    else
        each([](std::uint16_t bits) { return float_from_bfloat16(bits); });
}

/// Converts consecutive cells from (row, column), along the row or down the column, filling `to`.
inline void widen(const TypedMatrix& matrix, std::int64_t row, std::int64_t column, std::span<float> to) {
    const std::byte* const cells = matrix.at(row, column);
    if (matrix.type != DType::q8_0) return to_float32(matrix.type, cells, to);
    blocks_to_float32(cells, (row * matrix.row_stride + column * matrix.column_stride) % q8_0_cells, to);
}

/// Converts one row of a matrix; `to` has the width of the row.
void widen_row(const TypedMatrix& matrix, std::int64_t row, std::span<float> to);
/// Converts the whole matrix, row by row.
void to_float32(const TypedMatrix& matrix, std::span<float> to);

/// True if none of `count` consecutive cells is infinite or NaN.
bool all_finite(DType type, const std::byte* cells, std::int64_t count);

}  // namespace glassformer
