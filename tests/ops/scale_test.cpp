#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("scale: forward, backward and explanation agree") {
    for (const float factor : {0.25f, -3.0f, 0.0f}) {
        CHECK(any_error({ops::scale(factor), {normal({1}, 1)}}) == "");
        CHECK(any_error({ops::scale(factor), {normal({3, 5, 17}, 1)}}) == "");
    }
    CHECK(any_error({ops::scale(0.7f), {normal({}, 1)}}) == "");
}

TEST_CASE("scale: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error({ops::scale(0.7f), {normal({65, 1021}, 1)}}) == "");
}

TEST_CASE("scale: two inputs are refused") { CHECK(refuses(ops::scale(2.0f), {{2}, {2}})); }
