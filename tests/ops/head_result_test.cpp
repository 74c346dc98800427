#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase result(std::int64_t batch, std::int64_t positions, std::int64_t heads, std::int64_t width, std::int64_t d) {
    return {ops::head_result(), {normal({batch, positions, heads, width}, 1), normal({heads * width, d}, 2)}};
}

}  // namespace

TEST_CASE("head_result: forward, backward and explanation agree") {
    CHECK(any_error(result(1, 1, 1, 1, 1)) == "");
    CHECK(any_error(result(2, 3, 2, 5, 17)) == "");
    CHECK(any_error(result(1, 17, 3, 1, 2)) == "");
    CHECK(any_error(result(3, 33, 2, 33, 65)) == "");
}

TEST_CASE("head_result: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(result(4, 33, 5, 17, 85)) == "");
}

TEST_CASE("head_result: the heads add up to the output of W_O") {
    const OpCase c = result(2, 5, 3, 4, 7);
    const Tensor parts = forward(c);
    const Tensor whole_output =
        forward({ops::linear(), {c.tensors[0].reshaped({2, 5, 12}), c.tensors[1], Tensor(Shape{7})}});
    for (std::int64_t row = 0; row < 10; ++row)
        for (std::int64_t j = 0; j < 7; ++j) {
            float sum = 0.0f;
            for (std::int64_t h = 0; h < 3; ++h) sum += parts.data()[(row * 3 + h) * 7 + j];
            CHECK(sum == doctest::Approx(whole_output.data()[row * 7 + j]).epsilon(1e-4));
        }
}

TEST_CASE("head_result: wrong shapes are refused") {
    CHECK(refuses(ops::head_result(), {{2, 3, 2, 5}}));
    CHECK(refuses(ops::head_result(), {{2, 3, 10}, {10, 7}}));
    CHECK(refuses(ops::head_result(), {{2, 3, 2, 5}, {5, 7}}));
    CHECK(refuses(ops::head_result(), {{2, 3, 2, 5}, {10}}));
}
