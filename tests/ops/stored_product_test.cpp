// Products with a right operand stored as in a file: the same bytes as with its floats.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/ops/product_pieces.h"
#include "tests/core/half_cells.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::kernel;
using namespace glassformer::testing;

namespace {

/// A matrix of random cells of this dtype, row by row or column by column, with a few cells between its lines.
struct Stored {
    Stored(DType cells, bool by_columns, std::int64_t rows, std::int64_t columns) {
        const std::int64_t lines = by_columns ? columns : rows, length = by_columns ? rows : columns, gap = 3;
        const Tensor values = normal({lines * (length + gap)}, 5, 0.1);
        for (std::int64_t i = 0; i < values.shape().elements(); ++i) {
            // Includes the smallest numbers of the type, which become normal floats.
            const float value = i % 11 == 0 ? 0x1p-24f * static_cast<float>(i % 7) : values.values()[i];
            const auto wide = std::bit_cast<std::uint32_t>(value);
            const std::uint16_t half =
                cells == DType::float16 ? half_of(value) : static_cast<std::uint16_t>(wide >> 16);
            const auto* from = cells == DType::float32 ? reinterpret_cast<const std::byte*>(&wide)
                                                       : reinterpret_cast<const std::byte*>(&half);
            bytes.insert(bytes.end(), from, from + bytes_of(cells, 1));
        }
        matrix = {bytes.data(), cells, lines, length, length + gap, 1};
        if (by_columns) matrix = matrix.transposed();
    }
    std::vector<std::byte> bytes;
    TypedMatrix matrix;
};

/// A matrix of random blocks, line by line, with a block between its lines; lines of any length are padded to whole
/// blocks.
struct Blocks {
    Blocks(bool by_columns, std::int64_t rows, std::int64_t columns) {
        const std::int64_t lines = by_columns ? columns : rows, length = by_columns ? rows : columns,
                           blocks = (length + q8_0_cells - 1) / q8_0_cells + 1;
        const Tensor values = normal({lines * blocks, q8_0_cells + 1}, 5, 40.0);
        for (std::int64_t i = 0; i < lines * blocks; ++i) {
            const float* const of_block = values.data() + i * (q8_0_cells + 1);
            const std::uint16_t scale = half_of(of_block[q8_0_cells] / 8192.0f);
            const auto* const from = reinterpret_cast<const std::byte*>(&scale);
            bytes.insert(bytes.end(), from, from + sizeof scale);
            for (std::int64_t c = 0; c < q8_0_cells; ++c) {
                const auto cell = static_cast<std::int8_t>(std::clamp(of_block[c], -128.0f, 127.0f));
                bytes.push_back(std::bit_cast<std::byte>(cell));
            }
        }
        matrix = {bytes.data(), DType::q8_0, lines, length, blocks * q8_0_cells, 1};
        if (by_columns) matrix = matrix.transposed();
    }
    std::vector<std::byte> bytes;
    TypedMatrix matrix;
};

void check_same_products(const TypedMatrix& stored) {
    const std::int64_t depth = stored.rows, columns = stored.columns;
    std::vector<float> wide(static_cast<std::size_t>(depth * columns));
    to_float32(stored, wide);
    for (const std::int64_t rows : {1, 2, 15, 60}) {
        CAPTURE(static_cast<int>(stored.type));
        CAPTURE(stored.column_stride);
        CAPTURE(depth);
        CAPTURE(columns);
        CAPTURE(rows);
        const Tensor x = normal({rows, depth}, 7), bias = normal({columns}, 8);
        for (const int threads : {1, 3}) {
            ThreadPool pool(threads);
            Tensor expected(Shape{rows, columns}), found(Shape{rows, columns});
            const Operand a = matrix(x.data(), rows, depth);
            multiply_all(pool, {expected.data(), columns, false, bias.data()}, a, matrix(wide.data(), depth, columns));
            multiply_all(pool, {found.data(), columns, false, bias.data()}, a, stored);
            CHECK(std::memcmp(expected.data(), found.data(), expected.values().size_bytes()) == 0);
        }
    }
}

}  // namespace

TEST_CASE("products: a stored right operand gives the same bytes as its floats") {
    struct Size {
        std::int64_t depth, columns;
    };
    for (const DType cells : {DType::bfloat16, DType::float16, DType::float32})
        for (const bool by_columns : {false, true})
            for (const Size size : {Size{1, 1}, {5, 3}, {33, 70}, {300, 17}, {576, 192}, {257, 600}, {1030, 2100}}) {
                const Stored stored(cells, by_columns, size.depth, size.columns);
                check_same_products(stored.matrix);
            }
    for (const Size size : {Size{32, 1}, {32, 3}, {64, 70}, {320, 17}, {576, 192}, {1056, 2100}})
        check_same_products(Blocks(true, size.depth, size.columns).matrix);
    for (const Size size : {Size{5, 32}, {33, 64}, {300, 288}, {257, 608}})
        check_same_products(Blocks(false, size.depth, size.columns).matrix);
}

TEST_CASE("stored matrices: blocks of bytes with a scale are widened from any cell on") {
    for (const bool by_columns : {false, true}) {
        Blocks stored(by_columns, by_columns ? 64 : 5, by_columns ? 5 : 64);
        const TypedMatrix lines = by_columns ? stored.matrix.transposed() : stored.matrix;
        std::vector<float> wide(5 * 64), some(40), row(static_cast<std::size_t>(stored.matrix.columns));
        to_float32(lines, wide);
        for (int line = 0; line < 5; ++line)
            for (int first = 0; first < 64; ++first) {
                const std::byte* const block = lines.at(line, first);
                std::uint16_t scale = 0;
                std::memcpy(&scale, block, sizeof scale);
                const auto cell = std::bit_cast<std::int8_t>(block[2 + first % 32]);
                CHECK(wide[line * 64 + first] == float_from_half(scale) * static_cast<float>(cell));
                const auto count = static_cast<std::size_t>(std::min(40, 64 - first));
                widen(lines, line, first, std::span(some).first(count));
                CHECK(std::memcmp(some.data(), wide.data() + line * 64 + first, sizeof(float) * count) == 0);
            }
        for (std::int64_t r = 0; r < stored.matrix.rows; ++r) {
            widen_row(stored.matrix, r, row);
            for (std::int64_t c = 0; c < stored.matrix.columns; ++c)
                CHECK(row[c] == (by_columns ? wide[c * 64 + r] : wide[r * 64 + c]));
        }
        CHECK(all_finite(DType::q8_0, stored.bytes.data(), 5 * 96));
        stored.bytes[4 * 34 + 1] = std::byte{0x7c};
        CHECK_FALSE(all_finite(DType::q8_0, stored.bytes.data(), 5 * 96));
    }
}

TEST_CASE("stored matrices: rows are widened, and cells that are not finite are found") {
    for (const DType cells : {DType::bfloat16, DType::float16, DType::float32})
        for (const bool by_columns : {false, true}) {
            Stored stored(cells, by_columns, 37, 19);
            std::vector<float> wide(37 * 19), row(19);
            to_float32(stored.matrix, wide);
            for (int r = 0; r < 37; ++r) {
                widen_row(stored.matrix, r, row);
                CHECK(std::memcmp(row.data(), wide.data() + r * 19, sizeof(float) * 19) == 0);
            }
            const std::int64_t count = static_cast<std::int64_t>(stored.bytes.size()) / bytes_of(cells, 1);
            CHECK(all_finite(cells, stored.bytes.data(), count));
            const std::size_t last = stored.bytes.size() - 1;
            stored.bytes[last] = cells == DType::float16 ? std::byte{0xfc} : std::byte{0xff};
            stored.bytes[last - 1] = cells == DType::float16 ? std::byte{0x00} : std::byte{0x80};
            CHECK_FALSE(all_finite(cells, stored.bytes.data(), count));
        }
}
