#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("repeat_heads: forward, backward and explanation agree") {
    for (const std::int64_t times : {1, 2, 3, 7})
        for (const std::int64_t heads : {1, 3})
            for (const std::int64_t width : {1, 5, 16})
                CHECK(any_error({ops::repeat_heads(times), {normal({2, 4, heads, width}, 1)}}) == "");
    CHECK(thread_error({ops::repeat_heads(3), {normal({2, 129, 4, 33}, 1)}}) == "");
}

TEST_CASE("repeat_heads: the copies of a head are side by side") {
    const Tensor y = forward({ops::repeat_heads(2), {Tensor({1, 1, 2, 1}, {5, 7})}});
    REQUIRE(y.shape() == Shape{1, 1, 4, 1});
    CHECK(std::vector<float>(y.values().begin(), y.values().end()) == std::vector<float>{5, 5, 7, 7});
}

TEST_CASE("repeat_heads: wrong shapes and numbers are refused") {
    CHECK(refuses(ops::repeat_heads(2), {{2, 3, 4}}));
    CHECK(refuses(ops::repeat_heads(2), {{1, 2, 3, 4}, {1, 2, 3, 4}}));
    CHECK_THROWS_AS(ops::repeat_heads(0), Error);
}
