#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase mean_pool(const Tensor& x, std::uint64_t mask_seed = 2) {
    Tensor keep = keep_most({x.shape()[0], x.shape()[1]}, mask_seed);
    keep.data()[0] = 1.0f;
    return {ops::mean_pool(), {x, keep}};
}

}  // namespace

TEST_CASE("mean_pool: forward, backward and explanation agree") {
    for (const std::int64_t width : {1, 2, 3, 17, 63, 65})
        for (const std::int64_t positions : {1, 2, 9}) {
            CHECK(any_error(mean_pool(normal({1, positions, width}, 1))) == "");
            CHECK(any_error(mean_pool(normal({5, positions, width}, 1, 2.0, 1.0))) == "");
        }
}

TEST_CASE("mean_pool: averages the words and ignores padding") {
    const OpCase c{ops::mean_pool(), {Tensor({1, 3, 2}, {1, 10, 3, 30, NAN, INFINITY}), Tensor({1, 3}, {1, 1, 0})}};
    CHECK(forward(c).data()[0] == 2.0f);
    CHECK(forward(c).data()[1] == 20.0f);
    CHECK(backward(c, Tensor({1, 2}, {4, 6})) == std::vector<float>{2, 3, 2, 3, 0, 0});
}

TEST_CASE("mean_pool: a sentence without words gives zeros, and no gradient") {
    const OpCase c{ops::mean_pool(), {normal({2, 3, 5}, 1), Tensor({2, 3}, {0, 0, 0, 1, 0, 0})}};
    CHECK(any_error(c) == "");
    const std::vector<float> dx = backward(c, normal({2, 5}, 2));
    for (std::size_t i = 0; i < 5; ++i) CHECK(forward(c).values()[i] == 0.0f);
    for (std::size_t i = 0; i < 15; ++i) CHECK(dx[i] == 0.0f);
}

TEST_CASE("mean_pool: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(mean_pool(normal({65, 33, 129}, 1))) == "");
}

TEST_CASE("mean_pool: wrong shapes are refused") {
    CHECK(refuses(ops::mean_pool(), {{2, 3, 4}}));
    CHECK(refuses(ops::mean_pool(), {{3, 4}, {3}}));
    CHECK(refuses(ops::mean_pool(), {{2, 3, 4}, {3, 2}}));
}
