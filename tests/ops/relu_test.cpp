#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase relu(const Tensor& x) { return {ops::relu(), {x}, 1e-3}; }

/// Returns cells that no finite difference moves across the corner at 0.
Tensor away_from_zero(const Shape& shape) {
    Tensor x = normal(shape, 1);
    for (float& v : x.values()) v += v > 0.0f ? 0.1f : -0.1f;
    return x;
}

}  // namespace

TEST_CASE("relu: forward, backward and explanation agree") {
    for (const std::int64_t width : {1, 2, 3, 5, 17, 33, 63, 65})
        CHECK(any_error(relu(away_from_zero({3, width}))) == "");
}

TEST_CASE("relu: values above 0 pass with their gradient; from 0 down, neither does") {
    const Tensor x({9}, {-2.0f, -1e-30f, -0.0f, 0.0f, 1e-30f, 3.5f, INFINITY, -INFINITY, 7.0f});
    const std::vector<float> y{0.0f, 0.0f, 0.0f, 0.0f, 1e-30f, 3.5f, INFINITY, 0.0f, 7.0f};
    const Tensor found = forward(relu(x));
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(found.values()[i] == y[i]);
    const std::vector<float> dx = backward(relu(x), Tensor({9}, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
    CHECK(dx == std::vector<float>{0, 0, 0, 0, 5, 6, 7, 0, 9});
}

TEST_CASE("relu: NaN stays NaN") {
    CHECK(std::isnan(forward(relu(Tensor({1}, {NAN}))).data()[0]));
    CHECK(std::isnan(forward(relu(Tensor({17}, std::vector<float>(17, NAN)))).data()[8]));
}

TEST_CASE("relu: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(relu(normal({65, 1021}, 1))) == "");
}

TEST_CASE("relu: two inputs are refused") { CHECK(refuses(ops::relu(), {{2}, {2}})); }
