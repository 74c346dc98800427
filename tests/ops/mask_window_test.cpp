#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("mask_window: forward, backward and explanation agree") {
    for (const std::int64_t window : {1, 2, 5, 100})
        for (const std::int64_t keys : {1, 4, 9})
            for (const std::int64_t queries : {1, 4, 9})
                CHECK(any_error({ops::mask_window(window), {normal({2, 3, queries, keys}, 1)}}) == "");
    CHECK(thread_error({ops::mask_window(7), {normal({2, 3, 129, 65}, 1)}}) == "");
}

TEST_CASE("mask_window: a word sees only nearby words, on both sides") {
    const Tensor y = forward({ops::mask_window(2), {Tensor({1, 1, 4, 4})}});
    for (int query = 0; query < 4; ++query)
        for (int key = 0; key < 4; ++key) CHECK(std::isinf(y.data()[4 * query + key]) == (std::abs(query - key) >= 2));
    // More keys than queries: the last key is the last query's own.
    const Tensor last = forward({ops::mask_window(2), {Tensor({1, 1, 1, 4})}});
    for (int key = 0; key < 4; ++key) CHECK(std::isinf(last.data()[key]) == (key < 2));
}

TEST_CASE("mask_window: wrong shapes and windows are refused") {
    CHECK(refuses(ops::mask_window(2), {{3, 3}}));
    CHECK(refuses(ops::mask_window(2), {{1, 1, 3, 3}, {1, 3}}));
    CHECK_THROWS_AS(ops::mask_window(0), Error);
}
