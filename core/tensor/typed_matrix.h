#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace glassformer {

/// The float32 value of an IEEE 754 binary16 number (1 sign, 5 exponent, 10 fraction bits); exact, also where the
/// processor takes subnormal floats for zero. Without a branch, so that loops over it become loops over registers.
inline float float_from_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu, exponent = magnitude >> 10;
    // Above the normal numbers all ones stay all ones: infinity, NaN.
    const std::uint32_t rebias = exponent == 0x1f ? 2u * (127 - 15) << 23 : (127u - 15) << 23;
    // Zero and subnormals are fraction × 2^-24, the smallest step of the numbers from 0.5 on.
    const float small = std::bit_cast<float>(0x3f000000u | magnitude) - 0.5f;
    const std::uint32_t bits = exponent == 0 ? std::bit_cast<std::uint32_t>(small) : (magnitude << 13) + rebias;
    return std::bit_cast<float>(bits | sign);
}

/// The float32 value of a bfloat16 number, which is the upper half of a float32; exact.
inline float float_from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// The type of numbers as a file holds them. q8_0 is GGUF's: blocks of 32 numbers side by side, each block a binary16
/// scale and then 32 signed bytes; a number is the product of the two, rounded to float32.
enum class DType { float32, float16, bfloat16, q8_0 };

inline constexpr std::int64_t q8_0_cells = 32, q8_0_bytes = 34;

/// Of so many cells side by side; of q8_0 whole blocks.
inline std::int64_t bytes_of(DType type, std::int64_t cells) {
    return type == DType::q8_0 ? cells / q8_0_cells * q8_0_bytes : cells * (type == DType::float32 ? 4 : 2);
}
/// What the addresses of cells are multiples of.
inline std::int64_t alignment_of(DType type) { return type == DType::float32 ? 4 : 2; }

/// A matrix as a file holds it, in the file's type: each cell becomes a float32, always the same one, when it is used.
/// Not owned; one of the strides is 1, and the cells lie on addresses that are multiples of alignment_of(). Of q8_0 the
/// lines along that stride are whole blocks, and are only cut between blocks.
struct TypedMatrix {
    const std::byte* data = nullptr;
    DType type = DType::float32;
    std::int64_t rows = 0, columns = 0, row_stride = 0, column_stride = 0;  // strides in cells

    /// The cell; of q8_0 its block.
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
    /// Its floats where they are floats already, row by row without a gap; else null.
    const float* floats() const {
        const bool plain = type == DType::float32 && column_stride == 1 && row_stride == columns;
        return plain ? reinterpret_cast<const float*>(data) : nullptr;
    }
};

/// Cells of q8_0 that lie side by side, from a cell of the first block on, as many as `to` has, as float32.
void blocks_to_float32(const std::byte* blocks, std::int64_t first, std::span<float> to);

/// Cells that lie side by side, as many as `to` has, as float32; of q8_0 from the begin of a block on.
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

/// Cells that lie side by side from (row, column) on, along the row or down the column, as many as `to` has.
inline void widen(const TypedMatrix& matrix, std::int64_t row, std::int64_t column, std::span<float> to) {
    const std::byte* const cells = matrix.at(row, column);
    if (matrix.type != DType::q8_0) return to_float32(matrix.type, cells, to);
    blocks_to_float32(cells, (row * matrix.row_stride + column * matrix.column_stride) % q8_0_cells, to);
}

/// One row of a matrix; `to` has its width.
void widen_row(const TypedMatrix& matrix, std::int64_t row, std::span<float> to);
/// The whole matrix, row by row.
void to_float32(const TypedMatrix& matrix, std::span<float> to);

/// Whether none of so many cells side by side is an infinity or NaN.
bool all_finite(DType type, const std::byte* cells, std::int64_t count);

}  // namespace glassformer
