#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase mask_causal(const Shape& scores) { return {ops::mask_causal(), {normal(scores, 1)}}; }

}  // namespace

TEST_CASE("mask_causal: forward, backward and explanation agree") {
    for (const std::int64_t queries : {1, 2, 3, 17, 63})
        for (const std::int64_t keys : {1, 2, 17, 65}) CHECK(any_error(mask_causal({2, 3, queries, keys})) == "");
}

TEST_CASE("mask_causal: a key after the query is −∞ and has gradient zero") {
    const OpCase c{ops::mask_causal(), {Tensor({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9})}};
    const Tensor y = forward(c);
    CHECK(std::vector<float>(y.values().begin(), y.values().end()) ==
          std::vector<float>{1, -INFINITY, -INFINITY, 4, 5, -INFINITY, 7, 8, 9});
    CHECK(backward(c, Tensor({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9})) ==
          std::vector<float>{1, 0, 0, 4, 5, 0, 7, 8, 9});
}

TEST_CASE("mask_causal: at a masked key, backward leaves an accumulated gradient as it is") {
    const Tensor dy({1, 1, 2, 2}, {1, 2, 3, 4});
    std::vector<float> dx = {10, 20, 30, 40};
    const ConstView unread{nullptr, dy.shape()}, gradient{dy.data(), dy.shape()};
    const GradientSlot slot{dx.data(), true};
    ThreadPool pool(1);
    ops::mask_causal()->backward({{&unread, 1}, unread, gradient, {&slot, 1}, pool});
    CHECK(dx == std::vector<float>{11, 20, 33, 44});
}

TEST_CASE("mask_causal: with more keys than queries, the last key belongs to the last query") {
    const Tensor more = forward({ops::mask_causal(), {Tensor({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})}});
    CHECK(std::vector<float>(more.values().begin(), more.values().end()) ==
          std::vector<float>{1, 2, 3, -INFINITY, 5, 6, 7, 8});
    const Tensor fewer = forward({ops::mask_causal(), {Tensor({1, 1, 3, 1}, {1, 2, 3})}});
    CHECK(std::vector<float>(fewer.values().begin(), fewer.values().end()) ==
          std::vector<float>{-INFINITY, -INFINITY, 3});
}

TEST_CASE("mask_causal: the explanation says whether the key is masked") {
    const Tensor x({1, 1, 2, 2}, {1, 2, 3, 4});
    const ConstView view{x.data(), x.shape()};
    const OpExplanation hidden = ops::mask_causal()->explain({{&view, 1}, x.shape(), 1}),
                        seen = ops::mask_causal()->explain({{&view, 1}, x.shape(), 2});
    CHECK(hidden.value == -INFINITY);
    CHECK(hidden.numbers == "key 1 comes after query 0: it is masked");
    CHECK(seen.value == 3.0);
    CHECK(seen.numbers == "key 0 does not come after query 1: it is visible");
}

TEST_CASE("mask_causal: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(mask_causal({8, 4, 65, 65})) == "");
}

TEST_CASE("mask_causal: wrong shapes are refused") {
    CHECK(refuses(ops::mask_causal(), {{3, 3}}));
    CHECK(refuses(ops::mask_causal(), {{1, 1, 3, 3}, {1, 3}}));
}
