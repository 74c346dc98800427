#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase scores(std::int64_t batch, std::int64_t queries, std::int64_t keys, std::int64_t heads, std::int64_t width) {
    return {ops::attention_scores(),
            {normal({batch, queries, heads, width}, 1), normal({batch, keys, heads, width}, 2)}};
}

}  // namespace

TEST_CASE("attention_scores: forward, backward and explanation agree") {
    CHECK(any_error(scores(1, 1, 1, 1, 1)) == "");
    CHECK(any_error(scores(2, 3, 3, 2, 5)) == "");
    CHECK(any_error(scores(3, 5, 17, 1, 3)) == "");
    CHECK(any_error(scores(2, 17, 2, 3, 16)) == "");
}

TEST_CASE("attention_scores: sizes on both sides of the one where the product changes its algorithm") {
    for (const std::int64_t queries : {2, 32, 33})
        for (const std::int64_t keys : {5, 32, 33})
            for (const std::int64_t width : {3, 32, 33}) CHECK(any_error(scores(1, queries, keys, 2, width)) == "");
    CHECK(any_error(scores(2, 65, 65, 2, 17)) == "");
    CHECK(any_error(scores(1, 1, 65, 1, 65)) == "");
}

TEST_CASE("attention_scores: a node that is both queries and keys gets both gradients") {
    for (const std::int64_t positions : {5, 33})
        CHECK(any_error({.op = ops::attention_scores(),
                         .tensors = {normal({2, positions, 2, 3}, 1)},
                         .step = 1e-2,
                         .reads = {0, 0}}) == "");
}

TEST_CASE("attention_scores: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(scores(8, 13, 13, 4, 16)) == "");
    CHECK(thread_error(scores(3, 33, 65, 4, 32)) == "");
}

TEST_CASE("attention_scores: wrong shapes are refused") {
    const OpPtr op = ops::attention_scores();
    CHECK(refuses(op, {{2, 3, 2, 5}}));
    CHECK(refuses(op, {{2, 3, 2, 5}, {2, 3, 10}}));
    CHECK(refuses(op, {{2, 3, 2, 5}, {1, 3, 2, 5}}));
    CHECK(refuses(op, {{2, 3, 2, 5}, {2, 3, 1, 5}}));
    CHECK(refuses(op, {{2, 3, 2, 5}, {2, 3, 2, 4}}));
}
