#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase token_pool(bool last, const Tensor& x) {
    Tensor keep = keep_most({x.shape()[0], x.shape()[1]}, 2);
    keep.data()[0] = 1.0f;
    return {ops::token_pool(last), {x, keep}};
}

}  // namespace

TEST_CASE("token_pool: forward, backward and explanation agree") {
    for (const bool last : {false, true})
        for (const std::int64_t width : {1, 3, 17, 65})
            for (const std::int64_t positions : {1, 2, 9})
                CHECK(any_error(token_pool(last, normal({5, positions, width}, 1))) == "");
}

TEST_CASE("token_pool: picks the first or the last word, wherever the padding is") {
    const Tensor x({2, 3, 2}, {1, 10, 2, 20, NAN, INFINITY, NAN, 0, 3, 30, 4, 40}), keep({2, 3}, {1, 1, 0, 0, 1, 1});
    const OpCase first{ops::token_pool(false), {x, keep}}, last{ops::token_pool(true), {x, keep}};
    const auto values = [](const OpCase& c) {
        const Tensor y = forward(c);
        return std::vector<float>(y.values().begin(), y.values().end());
    };
    CHECK(values(first) == std::vector<float>{1, 10, 3, 30});
    CHECK(values(last) == std::vector<float>{2, 20, 4, 40});
    const Tensor dy({2, 2}, {5, 6, 7, 8});
    CHECK(backward(first, dy) == std::vector<float>{5, 6, 0, 0, 0, 0, 0, 0, 7, 8, 0, 0});
    CHECK(backward(last, dy) == std::vector<float>{0, 0, 5, 6, 0, 0, 0, 0, 0, 0, 7, 8});
}

TEST_CASE("token_pool: a sentence without words gives zeros, and no gradient") {
    const OpCase c{ops::token_pool(true), {normal({2, 3, 5}, 1), Tensor({2, 3}, {0, 0, 0, 1, 0, 0})}};
    CHECK(any_error(c) == "");
    const std::vector<float> dx = backward(c, normal({2, 5}, 2));
    for (std::size_t i = 0; i < 5; ++i) CHECK(forward(c).values()[i] == 0.0f);
    for (std::size_t i = 0; i < 15; ++i) CHECK(dx[i] == 0.0f);
}

TEST_CASE("token_pool: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(token_pool(true, normal({65, 33, 129}, 1))) == "");
}

TEST_CASE("token_pool: wrong shapes are refused") {
    CHECK(refuses(ops::token_pool(true), {{2, 3, 4}}));
    CHECK(refuses(ops::token_pool(false), {{2, 3, 4}, {3, 2}}));
}
