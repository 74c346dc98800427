// Rotary positions in halves, scaled, and at a position given as an input.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("rotary in halves: forward, backward and explanation agree") {
    for (const std::int64_t positions : {1, 3, 17})
        for (const std::int64_t width : {2, 6, 16, 130})
            CHECK(any_error({ops::rotary({.halves = true}), {normal({2, positions, 3, width}, 1)}}) == "");
    CHECK(any_error({ops::rotary({.halves = true}, 6), {normal({2, 5, 3, 16}, 1)}}) == "");
    CHECK(thread_error({ops::rotary({.halves = true}, 34), {normal({1, 1021, 2, 66}, 1)}}) == "");
}

TEST_CASE("rotary in halves: equals rotary on the same features in another order") {
    constexpr std::int64_t width = 10, dims = 8, half = dims / 2, rows = 2 * 7 * 3;
    const Tensor x = normal({2, 7, 3, width}, 1);
    Tensor neighbours(x.shape());
    const auto place = [&](std::int64_t d) { return d >= dims ? d : d < half ? 2 * d : 2 * (d - half) + 1; };
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t d = 0; d < width; ++d) neighbours.data()[r * width + place(d)] = x.data()[r * width + d];
    const Tensor y = forward({ops::rotary({.halves = true}, dims), {x}}),
                 z = forward({ops::rotary({}, dims), {neighbours}});
    for (std::int64_t r = 0; r < rows; ++r)
        // Not exact to the last bit: a compiler may fuse a product and a sum in only one of the two orders.
        for (std::int64_t d = 0; d < width; ++d)
            CHECK(y.data()[r * width + d] ==
                  doctest::Approx(static_cast<double>(z.data()[r * width + place(d)])).epsilon(1e-6));
}

TEST_CASE("rotary scaled: linear scaling slows down every pair, Llama 3's only the slow ones") {
    const RotaryOptions linear{.scaling = RotaryScaling::linear, .factor = 4},
        llama{.halves = true, .scaling = RotaryScaling::llama3, .factor = 8, .original_length = 64};
    CHECK(any_error({ops::rotary(linear), {normal({2, 5, 3, 16}, 1)}}) == "");
    CHECK(any_error({ops::rotary(llama), {normal({2, 5, 3, 64}, 1)}}) == "");
    const Tensor x = normal({1, 9, 1, 2}, 1);
    const Tensor slow = forward({ops::rotary(linear), {x}}), plain = forward({ops::rotary({}), {x}});
    CHECK(static_cast<double>(slow.data()[2 * 1]) ==
          doctest::Approx(static_cast<double>(x.data()[2]) * std::cos(0.25) -
                          static_cast<double>(x.data()[3]) * std::sin(0.25)));
    CHECK(static_cast<double>(plain.data()[2 * 1]) ==
          doctest::Approx(static_cast<double>(x.data()[2]) * std::cos(1.0) -
                          static_cast<double>(x.data()[3]) * std::sin(1.0)));
    // A unit vector at position 1 shows each pair's angle: the first turns 64 / 2π times in 64 words, the last hardly
    // at all.
    Tensor unit({1, 2, 1, 64});
    for (int i = 0; i < 32; ++i) unit.data()[64 + i] = 1.0f;
    const Tensor turned = forward({ops::rotary(llama), {unit}});
    const auto angle = [&](int pair) {
        return std::atan2(static_cast<double>(turned.data()[64 + 32 + pair]),
                          static_cast<double>(turned.data()[64 + pair]));
    };
    CHECK(angle(0) == doctest::Approx(1.0));
    CHECK(angle(31) == doctest::Approx(std::pow(10000.0, -31.0 / 32) / 8));
    const double between = std::pow(10000.0, -6.0 / 32), share = (64 * between / (2 * std::numbers::pi) - 1) / 3;
    REQUIRE(share > 0);
    REQUIRE(share < 1);
    CHECK(angle(6) == doctest::Approx((1 - share) * between / 8 + share * between));
}

TEST_CASE("rotary from a place: a row is turned as at that position of a whole sequence") {
    const Tensor x = normal({1, 9, 2, 6}, 1);
    const Tensor all = forward({ops::rotary({.halves = true}), {x}});
    for (const std::int64_t place : {0, 1, 8}) {
        Tensor row({1, 1, 2, 6});
        std::copy_n(x.data() + place * 12, 12, row.data());
        const OpCase one{ops::rotary({.halves = true}, 0, 9), {row, Tensor({1}, {static_cast<float>(place)})}};
        const Tensor y = forward(one);
        for (int i = 0; i < 12; ++i) CHECK(y.data()[i] == all.data()[place * 12 + i]);
        CHECK(any_error(one) == "");
    }
    CHECK(refuses(ops::rotary({}, 0, 9), {{1, 1, 2, 6}}));
    CHECK(refuses(ops::rotary({}), {{1, 1, 2, 6}, {1}}));
    CHECK_THROWS_AS(ops::rotary({.factor = 0}), Error);
}

TEST_CASE("alibi from a place: distances are measured from the position of the only query") {
    const OpCase one{ops::alibi(), {Tensor({1, 1, 1, 3}), Tensor({1}, {1})}};
    const Tensor y = forward(one);
    const float slope = 1.0f / 256;
    for (int k = 0; k < 3; ++k) CHECK(y.data()[k] == -slope * static_cast<float>(std::abs(k - 1)));
    CHECK(any_error(one) == "");
    CHECK(refuses(ops::alibi(), {{1, 1, 2, 3}, {1}}));
}
