#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("position_index: forward and explanation agree") {
    for (const bool over_length : {false, true})
        for (const std::int64_t positions : {1, 2, 3, 17, 63, 65, 40001})
            CHECK(any_error({ops::position_index(positions, over_length), {}}) == "");
}

TEST_CASE("position_index: counts from 0, or gives the share of the length") {
    const Tensor index = forward({ops::position_index(4, false), {}}),
                 share = forward({ops::position_index(4, true), {}});
    CHECK(index.shape() == Shape{4, 1});
    for (int p = 0; p < 4; ++p) {
        CHECK(index.data()[p] == static_cast<float>(p));
        CHECK(share.data()[p] == 0.25f * static_cast<float>(p));
    }
}

TEST_CASE("position_index: an input tensor is refused") { CHECK(refuses(ops::position_index(3, true), {{3, 1}})); }
