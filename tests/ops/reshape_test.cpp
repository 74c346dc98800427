#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("reshape: forward, backward and explanation agree") {
    CHECK(any_error({ops::reshape({2, 3, 5}), {normal({2, 15}, 1)}}) == "");
    CHECK(any_error({ops::reshape({65}), {normal({5, 13}, 1)}}) == "");
    CHECK(any_error({ops::reshape({}), {normal({1, 1}, 1)}}) == "");
}

TEST_CASE("reshape: a different number of cells is refused") {
    CHECK(refuses(ops::reshape({2, 3}), {{7}}));
    CHECK(refuses(ops::reshape({2, 3}), {{6}, {6}}));
}
