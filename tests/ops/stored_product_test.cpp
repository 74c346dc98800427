// Products with a right operand as a file holds it: the same bytes as with its floats.
#include <doctest/doctest.h>

#include <bit>
#include <cstring>

#include "core/ops/product_pieces.h"
#include "tests/core/half_cells.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::kernel;
using namespace glassformer::testing;

namespace {

/// A matrix of random cells of that type, row by row or column by column, with a few cells between its lines.
struct Stored {
    Stored(DType cells, bool by_columns, std::int64_t rows, std::int64_t columns) {
        const std::int64_t lines = by_columns ? columns : rows, length = by_columns ? rows : columns, gap = 3;
        const Tensor values = normal({lines * (length + gap)}, 5, 0.1);
        for (std::int64_t i = 0; i < values.shape().elements(); ++i) {
            // Among them the smallest numbers of the type, which become normal floats.
            const float value = i % 11 == 0 ? 0x1p-24f * static_cast<float>(i % 7) : values.values()[i];
            const auto wide = std::bit_cast<std::uint32_t>(value);
            const std::uint16_t half =
                cells == DType::float16 ? half_of(value) : static_cast<std::uint16_t>(wide >> 16);
            const auto* from = cells == DType::float32 ? reinterpret_cast<const std::byte*>(&wide)
                                                       : reinterpret_cast<const std::byte*>(&half);
            bytes.insert(bytes.end(), from, from + bytes_of(cells));
        }
        matrix = {bytes.data(), cells, lines, length, length + gap, 1};
        if (by_columns) matrix = matrix.transposed();
    }
    std::vector<std::byte> bytes;
    TypedMatrix matrix;
};

}  // namespace

TEST_CASE("products: a stored right operand gives the bytes of its floats") {
    struct Size {
        std::int64_t depth, columns;
    };
    for (const DType cells : {DType::bfloat16, DType::float16, DType::float32})
        for (const bool by_columns : {false, true})
            for (const Size size : {Size{1, 1}, {5, 3}, {33, 70}, {300, 17}, {576, 192}, {257, 600}, {1030, 2100}}) {
                const Stored stored(cells, by_columns, size.depth, size.columns);
                std::vector<float> wide(static_cast<std::size_t>(size.depth * size.columns));
                to_float32(stored.matrix, wide);
                for (const std::int64_t rows : {1, 2, 15, 60}) {
                    CAPTURE(static_cast<int>(cells));
                    CAPTURE(by_columns);
                    CAPTURE(size.depth);
                    CAPTURE(size.columns);
                    CAPTURE(rows);
                    const Tensor x = normal({rows, size.depth}, 7), bias = normal({size.columns}, 8);
                    for (const int threads : {1, 3}) {
                        ThreadPool pool(threads);
                        Tensor expected(Shape{rows, size.columns}), found(Shape{rows, size.columns});
                        const Operand a = matrix(x.data(), rows, size.depth);
                        multiply_all(pool, {expected.data(), size.columns, false, bias.data()}, a,
                                     matrix(wide.data(), size.depth, size.columns));
                        multiply_all(pool, {found.data(), size.columns, false, bias.data()}, a, stored.matrix);
                        CHECK(std::memcmp(expected.data(), found.data(), expected.values().size_bytes()) == 0);
                    }
                }
            }
}

TEST_CASE("stored matrices: rows, and cells that are no numbers") {
    for (const DType cells : {DType::bfloat16, DType::float16, DType::float32})
        for (const bool by_columns : {false, true}) {
            Stored stored(cells, by_columns, 37, 19);
            std::vector<float> wide(37 * 19), row(19);
            to_float32(stored.matrix, wide);
            for (int r = 0; r < 37; ++r) {
                widen_row(stored.matrix, r, row);
                CHECK(std::memcmp(row.data(), wide.data() + r * 19, sizeof(float) * 19) == 0);
            }
            const std::int64_t count = static_cast<std::int64_t>(stored.bytes.size()) / bytes_of(cells);
            CHECK(all_finite(cells, stored.bytes.data(), count));
            const std::size_t last = stored.bytes.size() - 1;
            stored.bytes[last] = cells == DType::float16 ? std::byte{0xfc} : std::byte{0xff};
            stored.bytes[last - 1] = cells == DType::float16 ? std::byte{0x00} : std::byte{0x80};
            CHECK_FALSE(all_finite(cells, stored.bytes.data(), count));
        }
}
