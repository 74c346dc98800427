// The products under the linear ops and attention, against double, at the edges of tiles, panels and blocks.
#include "core/ops/product.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/base/rng.h"

using namespace glassformer;
using namespace glassformer::kernel;

namespace {

std::vector<float> numbers(std::int64_t count, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& v : values) v = static_cast<float>(rng.normal());
    return values;
}

double cell(const Operand& m, std::int64_t row, std::int64_t column) {
    return static_cast<double>(m.data[row * m.row_stride + column * m.column_stride]);
}

/// Returns the largest error of start + a·b against double, relative to the size of the terms of the sum.
double error(const float* c, std::int64_t stride, const float* start, std::int64_t start_stride, const Operand& a,
             const Operand& b) {
    double worst = 0.0;
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t j = 0; j < b.columns; ++j) {
            double sum = start ? static_cast<double>(start[i * start_stride + j]) : 0.0, size = std::abs(sum);
            for (std::int64_t k = 0; k < a.columns; ++k) {
                sum += cell(a, i, k) * cell(b, k, j);
                size += std::abs(cell(a, i, k) * cell(b, k, j));
            }
            worst = std::max(worst, std::abs(static_cast<double>(c[i * stride + j]) - sum) / (size + 1e-30));
        }
    return worst;
}

constexpr float untouched = 12345.0f;

/// Calls a product of this size in every way and returns the largest error.
double worst_error(std::int64_t rows, std::int64_t depth, std::int64_t columns) {
    const std::int64_t gap = 3, stride = columns + gap;
    const std::vector<float> left = numbers(rows * depth, 1), right = numbers(depth * columns, 2),
                             bias = numbers(columns, 3), before = numbers(rows * stride, 4);
    double worst = 0.0;
    for (const bool left_transposed : {false, true})
        for (const bool right_transposed : {false, true}) {
            const Operand a = left_transposed ? matrix(left.data(), depth, rows).transposed()
                                              : matrix(left.data(), rows, depth),
                          b = right_transposed ? matrix(right.data(), columns, depth).transposed()
                                               : matrix(right.data(), depth, columns);
            std::vector<float> c(before.size(), untouched);
            multiply({c.data(), stride}, a, b);
            worst = std::max(worst, error(c.data(), stride, nullptr, 0, a, b));
            // The product must leave the cells between the rows alone.
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = columns; j < stride; ++j)
                    if (c[i * stride + j] != untouched) return INFINITY;
            multiply({c.data(), stride, false, bias.data()}, a, b);
            worst = std::max(worst, error(c.data(), stride, bias.data(), 0, a, b));
            c = before;
            multiply({c.data(), stride, true}, a, b);
            worst = std::max(worst, error(c.data(), stride, before.data(), stride, a, b));
        }
    return worst;
}

}  // namespace

TEST_CASE("product: small sizes around those of registers and tiles") {
    for (const std::int64_t rows : {1, 2, 5, 6, 7, 13, 14, 15})
        for (const std::int64_t depth : {1, 3, 8, 17})
            for (const std::int64_t columns : {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 65})
                CHECK(worst_error(rows, depth, columns) < 1e-6);
}

TEST_CASE("product: sizes around the blocks of depth and columns, and many tiles of rows") {
    for (const std::int64_t depth : {255, 256, 257, 600})
        for (const std::int64_t columns : {20, 256, 259, 530}) CHECK(worst_error(29, depth, columns) < 1e-5);
    for (const std::int64_t columns : {63, 64, 65, 127, 128, 129, 144, 192, 256, 384, 530})
        CHECK(worst_error(1, 300, columns) < 1e-5);  // one row: the next word of a text
    CHECK(worst_error(101, 64, 64) < 1e-6);
    CHECK(worst_error(43, 300, 64) < 1e-5);
}

TEST_CASE("product: a depth of zero gives the bias") {
    const std::vector<float> bias{1.0f, 2.0f};
    std::vector<float> c(4, untouched);
    multiply({c.data(), 2, false, bias.data()}, {nullptr, 2, 0, 0, 1}, {nullptr, 0, 2, 2, 1});
    CHECK(c == std::vector<float>{1.0f, 2.0f, 1.0f, 2.0f});
}

TEST_CASE("product: a cell has the same bytes however the product is split") {
    constexpr std::int64_t rows = 131, depth = 333, columns = 300;
    const std::vector<float> left = numbers(rows * depth, 5), right = numbers(depth * columns, 6);
    const Operand a = matrix(left.data(), rows, depth), b = matrix(right.data(), depth, columns);
    std::vector<float> whole(rows * columns), cut(whole.size());
    multiply({whole.data(), columns}, a, b);
    const PackingTicket packing = new_packing();
    for (std::int64_t row = 0; row < rows; row += 30)
        multiply({cut.data() + row * columns, columns}, a.middle_rows(row, std::min<std::int64_t>(30, rows - row)), b,
                 packing);
    CHECK(std::memcmp(whole.data(), cut.data(), sizeof(float) * whole.size()) == 0);
    for (std::int64_t row = 0; row < rows; ++row)
        multiply({cut.data() + row * columns, columns}, a.middle_rows(row, 1), b);
    CHECK(std::memcmp(whole.data(), cut.data(), sizeof(float) * whole.size()) == 0);
    for (std::int64_t column = 0; column < columns; column += 37)
        multiply({cut.data() + column, columns}, a,
                 b.middle_columns(column, std::min<std::int64_t>(37, columns - column)));
    CHECK(std::memcmp(whole.data(), cut.data(), sizeof(float) * whole.size()) == 0);
}

TEST_CASE("product: a packed operand is reused only with its own ticket, even where blocks share memory") {
    constexpr std::int64_t rows = 60, depth = 600, columns = 1100;
    const std::vector<float> left = numbers(rows * depth, 7);
    std::vector<float> right = numbers(depth * columns, 8), c(rows * columns);
    const Operand a = matrix(left.data(), rows, depth), b = matrix(right.data(), depth, columns);
    const PackingTicket first = new_packing(2);
    multiply({c.data(), columns}, a, b, first);
    multiply({c.data(), columns}, a, b, first);
    CHECK(error(c.data(), columns, nullptr, 0, a, b) < 1e-5);
    for (float& v : right) v = -v;
    multiply({c.data(), columns}, a, b, first + 1);
    CHECK(error(c.data(), columns, nullptr, 0, a, b) < 1e-5);
    CHECK(new_packing() == first + 2);
}
