#include <doctest/doctest.h>

#include <cstdint>

#include "core/base/error.h"
#include "core/tensor/tensor.h"

using namespace glassformer;

TEST_CASE("a shape counts its cells, and converts between index and offset") {
    const Shape shape{3, 1, 5};
    CHECK(shape.elements() == 15);
    CHECK(shape.back() == 5);
    CHECK(shape.to_string() == "[3, 1, 5]");
    for (std::int64_t i = 0; i < shape.elements(); ++i) CHECK(offset_of(shape, index_of(shape, i)) == i);
}

TEST_CASE("a shape that overflows or has a negative size is refused") {
    CHECK_THROWS_AS((Shape{INT64_MAX, 3}), Error);
    CHECK_THROWS_AS((Shape{2, -1}), Error);
}

TEST_CASE("a tensor refuses values that do not fill its shape") {
    CHECK_THROWS_AS(Tensor(Shape{2, 2}, {1.0f, 2.0f, 3.0f}), Error);
    CHECK(Tensor(Shape{2, 2}, {1, 2, 3, 4}).at({1, 0}) == 3.0f);
}
