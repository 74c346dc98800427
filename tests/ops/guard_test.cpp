// Every op between guard cells, at odd sizes and split into several pieces of work.
#include <doctest/doctest.h>

#include "tests/ops/guarded_run.h"
#include "tests/ops/op_cases.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("no op writes outside its buffers, reads beyond them, or reads in backward what it says it does not") {
    for (const NamedCase& named : op_cases()) CHECK(guard_error(named.c) == "");
    for (const bool over_length : {false, true})
        for (const std::int64_t positions : {1, 16, 17, 40001})
            CHECK(guard_error({ops::position_index(positions, over_length), {}}) == "");
    for (const std::int64_t width : {2, 6, 64}) CHECK(guard_error({ops::sinusoidal_positions(17, width), {}}) == "");
}

// At sizes of a single piece, a piece that begins at the wrong cell would go unnoticed.
TEST_CASE("ops that are split into several pieces of work agree with their explanations") {
    const Shape large{65, 1021};
    for (const OpPtr& op : {ops::gelu(), ops::gelu_tanh(), ops::silu(), ops::tanh(), ops::scale(-0.37f)})
        CHECK(any_error({op, {normal(large, 1)}, 1e-2}) == "");
    // With so many cells some lie at the corner, where a difference quotient is not a gradient.
    Tensor off_the_corner = normal(large, 1);
    for (float& x : off_the_corner.values()) x += x < 0.0f ? -0.1f : 0.1f;
    CHECK(any_error({ops::relu(), {off_the_corner}, 1e-2}) == "");
    for (const OpPtr& op : {ops::add(), ops::multiply()})
        CHECK(any_error({op, {normal(large, 1), normal(large, 2)}, 1e-2}) == "");
    CHECK(any_error({ops::add(), {normal(large, 1), normal({1021}, 2)}}) == "");
    CHECK(any_error({ops::mask(), {normal({7, 3, 65, 63}, 1), keep_most({7, 63}, 2)}}) == "");
    CHECK(any_error({ops::mask_causal(), {normal({7, 3, 65, 63}, 1)}}) == "");
    CHECK(any_error({ops::softmax(), {normal({7, 65, 257}, 1, 2.0)}, 1e-2}) == "");
    CHECK(any_error({ops::layer_norm_mean(), {normal({700, 129}, 1)}}) == "");
    CHECK(any_error({ops::norm_affine(), {normal({700, 129}, 1), normal({129}, 2), normal({129}, 3)}}) == "");
    CHECK(any_error({ops::embed(), {whole({65, 63}, 1, 70), normal({70, 17}, 2)}}) == "");
}
