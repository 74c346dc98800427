#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("pos_embed: forward, backward and explanation agree") {
    for (const std::int64_t positions : {1, 2, 5, 17})
        CHECK(any_error({ops::pos_embed(positions), {normal({17, 3}, 1)}}) == "");
    CHECK(any_error({ops::pos_embed(33), {normal({65, 33}, 1)}}) == "");
    CHECK(any_error({ops::pos_embed(1), {normal({1, 1}, 1)}}) == "");
}

TEST_CASE("pos_embed: rows beyond the sentence have gradient zero") {
    const OpCase c{ops::pos_embed(2), {normal({3, 2}, 1)}};
    CHECK(backward(c, Tensor({2, 2}, {1, 2, 3, 4})) == std::vector<float>{1, 2, 3, 4, 0, 0});
}

TEST_CASE("pos_embed: a table that is too short is refused") {
    CHECK(refuses(ops::pos_embed(4), {{3, 2}}));
    CHECK(refuses(ops::pos_embed(4), {{12}}));
    CHECK(refuses(ops::pos_embed(1), {{3, 2}, {3, 2}}));
}
