#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase mix(std::int64_t batch, std::int64_t queries, std::int64_t keys, std::int64_t heads, std::int64_t width) {
    return {ops::attention_values(),
            {normal({batch, heads, queries, keys}, 1), normal({batch, keys, heads, width}, 2)}};
}

}  // namespace

TEST_CASE("attention_values: forward, backward and explanation agree") {
    CHECK(any_error(mix(1, 1, 1, 1, 1)) == "");
    CHECK(any_error(mix(2, 3, 3, 2, 5)) == "");
    CHECK(any_error(mix(3, 5, 17, 1, 3)) == "");
    CHECK(any_error(mix(2, 17, 2, 3, 16)) == "");
}

TEST_CASE("attention_values: sizes on both sides of the one where the product changes its algorithm") {
    for (const std::int64_t queries : {2, 32, 33})
        for (const std::int64_t keys : {5, 32, 33})
            for (const std::int64_t width : {3, 32, 33}) CHECK(any_error(mix(1, queries, keys, 2, width)) == "");
    CHECK(any_error(mix(2, 65, 65, 2, 17)) == "");
    CHECK(any_error(mix(1, 1, 65, 1, 65)) == "");
}

TEST_CASE("attention_values: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(mix(8, 13, 13, 4, 16)) == "");
    CHECK(thread_error(mix(3, 33, 65, 4, 32)) == "");
}

TEST_CASE("attention_values: wrong shapes are refused") {
    const OpPtr op = ops::attention_values();
    CHECK(refuses(op, {{2, 4, 3, 3}}));
    CHECK(refuses(op, {{2, 4, 3}, {2, 3, 4, 5}}));
    CHECK(refuses(op, {{1, 4, 3, 3}, {2, 3, 4, 5}}));
    CHECK(refuses(op, {{2, 2, 3, 3}, {2, 3, 4, 5}}));
    CHECK(refuses(op, {{2, 4, 3, 2}, {2, 3, 4, 5}}));
}
