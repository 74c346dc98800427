#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase squared_error(const Shape& shape, const Tensor& weights, double spread = 1.0) {
    return {ops::squared_error(), {normal(shape, 1, spread), normal(shape, 2, spread), weights}, 1e-2};
}

}  // namespace

TEST_CASE("squared_error: forward, backward and explanation agree") {
    for (const std::int64_t width : {1, 2, 3, 17, 63, 65}) {
        CHECK(any_error(squared_error({1, 1, width}, Tensor({1, 1}, {1}))) == "");
        CHECK(any_error(squared_error({3, 5, width}, keep_most({3, 5}, 3), 2.0)) == "");
    }
    Tensor weights = normal({17}, 5);
    for (float& w : weights.values()) w = std::abs(w);
    CHECK(any_error(squared_error({17, 23}, weights)) == "");
}

TEST_CASE("squared_error: the weighted mean in double") {
    const OpCase c = squared_error({63, 17}, keep_most({63}, 3), 3.0);
    const auto at = [&](int tensor, std::int64_t i) { return static_cast<double>(c.tensors[tensor].data()[i]); };
    double sum = 0.0, total = 0.0;
    for (std::int64_t r = 0; r < 63; ++r) {
        double row = 0.0;
        for (std::int64_t i = r * 17; i < (r + 1) * 17; ++i) row += (at(0, i) - at(1, i)) * (at(0, i) - at(1, i)) / 17;
        sum += at(2, r) * row;
        total += at(2, r);
    }
    CHECK(std::abs(forward(c).data()[0] - sum / total) < 1e-6 * sum / total);
    const std::vector<float> dp = backward(c, Tensor({}, {1}));
    REQUIRE(dp.size() == 63 * 17);  // the target has no gradient
    double worst = 0.0;
    for (std::int64_t i = 0; i < 63 * 17; ++i)
        worst = std::max(worst, std::abs(dp[i] - 2.0 * at(2, i / 17) * (at(0, i) - at(1, i)) / (17 * total)));
    CHECK(worst < 1e-8);
}

TEST_CASE("squared_error: rows with weight 0 are ignored") {
    const OpCase c{ops::squared_error(),
                   {Tensor({2, 2}, {1, 2, 3, 4}), Tensor({2, 2}, {3, 2, NAN, INFINITY}), Tensor({2}, {0.5f, 0.0f})}};
    CHECK(forward(c).data()[0] == 2.0f);
    CHECK(backward(c, Tensor({}, {1})) == std::vector<float>{-2, 0, 0, 0});
}

TEST_CASE("squared_error: if nothing has weight, loss and gradient are 0") {
    const OpCase c = squared_error({5, 3}, Tensor(Shape{5}));
    CHECK(explanation_error(c) == "");
    CHECK(forward(c).data()[0] == 0.0f);
    CHECK(backward(c, Tensor({}, {1})) == std::vector<float>(15, 0.0f));
}

TEST_CASE("squared_error: large inputs give the same bytes on any number of threads") {
    CHECK(any_error(squared_error({900, 65}, keep_most({900}, 3))) == "");
}

TEST_CASE("squared_error: wrong shapes are refused") {
    CHECK(refuses(ops::squared_error(), {{2, 3}, {2, 3}}));
    CHECK(refuses(ops::squared_error(), {{2, 3}, {2}, {2}}));
    CHECK(refuses(ops::squared_error(), {{2, 3}, {2, 3}, {3}}));
    CHECK(refuses(ops::squared_error(), {{}, {}, {}}));
}
