#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("hardmax: forward and explanation agree") {
    for (const std::int64_t width : {1, 2, 3, 17, 63, 65})
        CHECK(any_error({ops::hardmax(), {normal({3, 5, width}, 1)}}) == "");
    CHECK(any_error({ops::hardmax(), {normal({5}, 1)}}) == "");
    // Many equal scores.
    CHECK(any_error({ops::hardmax(), {whole({17, 5}, 1, 3)}}) == "");
}

TEST_CASE("hardmax: the first maximum gets all the weight, and a fully masked row gets none") {
    constexpr float hidden = -INFINITY;
    const OpCase c{ops::hardmax(), {Tensor({4, 3}, {1, 3, 2, 5, 5, 1, hidden, -9, hidden, hidden, hidden, hidden})}};
    const Tensor y = forward(c);
    CHECK(std::vector<float>(y.values().begin(), y.values().end()) ==
          std::vector<float>{0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0});
    CHECK(explanation_error(c) == "");
}

TEST_CASE("hardmax: has no gradient") {
    CHECK(!ops::hardmax()->has_gradient(0));
    CHECK(backward({ops::hardmax(), {normal({2, 3}, 1)}}, normal({2, 3}, 2)).empty());
}

TEST_CASE("hardmax: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error({ops::hardmax(), {normal({900, 33}, 1)}}) == "");
    CHECK(thread_error({ops::hardmax(), {normal({65, 1021}, 1)}}) == "");
}

TEST_CASE("hardmax: wrong shapes are refused") {
    CHECK(refuses(ops::hardmax(), {{}}));
    CHECK(refuses(ops::hardmax(), {{3, 0}}));
    CHECK(refuses(ops::hardmax(), {{3}, {3}}));
}
