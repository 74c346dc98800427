#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase partial(const Shape& x, std::int64_t dims, float base = 10000.0f) {
    return {ops::rotary({.base = base}, dims), {normal(x, 1)}};
}

}  // namespace

TEST_CASE("rotary on some features: forward, backward and explanation agree") {
    for (const std::int64_t positions : {1, 2, 17})
        for (const std::int64_t width : {2, 5, 16})
            for (const std::int64_t dims : {2, 4, 16})
                if (dims <= width) CHECK(any_error(partial({2, positions, 3, width}, dims)) == "");
    CHECK(any_error(partial({3, 5, 1, 16}, 6, 100.0f)) == "");
    CHECK(any_error(partial({1, 3, 2, 80}, 70)) == "");  // more pairs than are kept at hand
}

TEST_CASE("rotary on some features: the first features turn like a narrower head, the others pass unchanged") {
    constexpr std::int64_t positions = 7, heads = 2, width = 12, dims = 4;
    const Tensor x = normal({2, positions, heads, width}, 3);
    Tensor first({2, positions, heads, dims});
    const std::int64_t rows = x.shape().elements() / width;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t d = 0; d < dims; ++d) first.data()[r * dims + d] = x.data()[r * width + d];
    const Tensor y = forward({ops::rotary({.base = 100.0f}, dims), {x}}),
                 turned = forward({ops::rotary({.base = 100.0f}), {first}});
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t d = 0; d < width; ++d)
            CHECK(y.data()[r * width + d] == (d < dims ? turned.data()[r * dims + d] : x.data()[r * width + d]));
}

TEST_CASE("rotary on some features: with all features it equals rotary") {
    const Tensor x = normal({2, 33, 3, 16}, 4);
    const Tensor y = forward({ops::rotary({}, 16), {x}}), all = forward({ops::rotary({}), {x}});
    for (std::size_t i = 0; i < y.values().size(); ++i) CHECK(y.values()[i] == all.values()[i]);
}

TEST_CASE("rotary on some features: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(partial({8, 65, 4, 16}, 4)) == "");
    CHECK(thread_error(partial({1, 1021, 2, 66}, 34)) == "");
}

TEST_CASE("rotary on some features: wrong shapes, bases and dims are refused") {
    CHECK(refuses(ops::rotary({}, 4), {{2, 3, 4}}));
    CHECK(refuses(ops::rotary({}, 6), {{2, 3, 4, 5}}));
    CHECK(refuses(ops::rotary({}, 4), {{2, 3, 4, 6}, {2, 3, 4, 6}}));
    for (const float base : {0.0f, -1.0f, INFINITY}) CHECK_THROWS_AS(ops::rotary({.base = base}, 4), Error);
    for (const std::int64_t dims : {-2, 3}) CHECK_THROWS_AS(ops::rotary({.base = 100.0f}, dims), Error);
}
