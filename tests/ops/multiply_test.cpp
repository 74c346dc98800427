#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase multiply(const Shape& shape) { return {ops::multiply(), {normal(shape, 1), normal(shape, 2)}}; }

}  // namespace

TEST_CASE("multiply: forward, backward and explanation agree") {
    CHECK(any_error(multiply({})) == "");
    for (const std::int64_t width : {1, 2, 3, 17, 63, 65}) CHECK(any_error(multiply({3, 5, width})) == "");
}

TEST_CASE("multiply: each side's gradient is the other side") {
    const OpCase c{ops::multiply(), {Tensor({2}, {2, 3}), Tensor({2}, {5, 7})}};
    CHECK(forward(c).data()[0] == 10.0f);
    CHECK(forward(c).data()[1] == 21.0f);
    CHECK(backward(c, Tensor({2}, {1, 10})) == std::vector<float>{5, 70, 2, 30});
}

TEST_CASE("multiply: a node multiplied by itself gets both gradients") {
    const OpCase c{.op = ops::multiply(), .tensors = {Tensor({2}, {2, 3})}, .reads = {0, 0}};
    CHECK(backward(c, Tensor({2}, {1, 10})) == std::vector<float>{4, 60});
    CHECK(any_error({.op = ops::multiply(), .tensors = {normal({5, 17}, 1)}, .step = 1e-2, .reads = {0, 0}}) == "");
}

TEST_CASE("multiply: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(multiply({65, 1021})) == "");
}

TEST_CASE("multiply: wrong shapes are refused") {
    CHECK(refuses(ops::multiply(), {{2, 3}}));
    CHECK(refuses(ops::multiply(), {{2, 3}, {3}}));
    CHECK(refuses(ops::multiply(), {{2, 3}, {3, 2}}));
    CHECK(refuses(ops::multiply(), {{2}, {2}, {2}}));
}
