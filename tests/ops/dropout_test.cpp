#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/ops/dropout_hash.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase dropout(const Shape& x, float rate, float training = 1, float step = 7, float seed = 3) {
    return {ops::dropout(rate, 2), {normal(x, 1), Tensor({3}, {training, step, seed})}};
}

bool drops(float rate, std::uint32_t seed, std::uint32_t step, std::uint32_t stream, std::uint32_t cell) {
    return kernel::dropout_hash(seed, step, stream, cell) < kernel::dropout_threshold(rate);
}

/// Returns how many standard deviations a count of n independent events of this probability is off its expectation.
double deviation(double count, double n, double probability) {
    return std::abs(count - n * probability) / std::sqrt(n * probability * (1 - probability));
}

}  // namespace

TEST_CASE("dropout: forward, backward and explanation agree") {
    for (const float training : {0.0f, 1.0f})
        for (const float rate : {0.0f, 0.1f, 0.5f, 0.9f}) {
            CHECK(any_error(dropout({}, rate, training)) == "");
            for (const std::int64_t width : {1, 2, 3, 17, 63, 65})
                CHECK(any_error(dropout({3, 5, width}, rate, training)) == "");
        }
}

TEST_CASE("dropout: outside training, or at rate 0, x passes unchanged") {
    for (const OpCase& c : {dropout({17, 65}, 0.5f, 0), dropout({17, 65}, 0.0f, 1)}) {
        const Tensor y = forward(c);
        CHECK(std::equal(y.values().begin(), y.values().end(), c.tensors[0].values().begin()));
    }
}

TEST_CASE("dropout: in training a cell is 0 or scaled by 1 / (1 − rate), and so is its gradient") {
    const OpCase c = dropout({40, 25}, 0.25f);
    const Tensor y = forward(c), weights = normal({40, 25}, 5);
    const std::vector<float> dx = backward(c, weights);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const bool dropped = drops(0.25f, 3, 7, 2, i);
        CHECK(y.data()[i] == (dropped ? 0.0f : c.tensors[0].data()[i] * (1.0f / 0.75f)));
        CHECK(dx[i] == (dropped ? 0.0f : weights.data()[i] * (1.0f / 0.75f)));
    }
}

TEST_CASE("dropout: the explanation says whether the cell was dropped") {
    const Tensor x({2000}, std::vector<float>(2000, 0.5f));
    const auto numbers = [&](float training, std::int64_t cell) {
        const Tensor state({3}, {training, 7, 3});
        const ConstView inputs[] = {{x.data(), x.shape()}, {state.data(), state.shape()}};
        return ops::dropout(0.25f, 2)->explain({inputs, x.shape(), cell}).numbers;
    };
    int dropped = 0;
    for (std::uint32_t i = 0; i < 2000; ++i) {
        const bool gone = drops(0.25f, 3, 7, 2, i);
        CHECK(numbers(1, i) == (gone ? "dropped in step 7" : "kept: 0.50 / (1 − 0.25)"));
        dropped += gone;
    }
    CHECK(dropped > 0);
    CHECK(dropped < 2000);
    CHECK(numbers(0, 0) == "not in training: 0.50 unchanged");
}

TEST_CASE("dropout: the hash matches its documented definition") {
    // Computed outside this program, from the description in the header.
    CHECK(kernel::dropout_hash(0, 0, 0, 0) == 251852841u);
    CHECK(kernel::dropout_hash(1, 2, 3, 4) == 908250390u);
    CHECK(kernel::dropout_hash(16777215u, 16777215u, 7, 4294967295u) == 88522982u);
    CHECK(kernel::dropout_threshold(0.0f) == 0u);
    CHECK(kernel::dropout_threshold(0.5f) == 0x80000000u);
}

TEST_CASE("dropout: the share of dropped cells matches the rate, in every seed, step and stream") {
    constexpr std::uint32_t n = 20000;
    for (const float rate : {0.1f, 0.5f, 0.8f})
        for (const std::uint32_t seed : {0u, 1u, 16777215u})
            for (const std::uint32_t step : {0u, 1u, 2u, 99999u})
                for (const std::uint32_t stream : {0u, 1u, 31u}) {
                    int count = 0;
                    for (std::uint32_t i = 0; i < n; ++i) count += drops(rate, seed, step, stream, i);
                    INFO("rate ", rate, " seed ", seed, " step ", step, " stream ", stream);
                    CHECK(deviation(count, n, static_cast<double>(rate)) < 4.5);
                }
}

TEST_CASE("dropout: a cell's decision is independent of the next cell, step, stream and seed") {
    constexpr double rate = 0.3;
    const std::uint32_t n = 200;
    const std::uint32_t neighbours[][4] = {{1, 0, 0, 0}, {0, 1, 0, 0},  {0, 0, 1, 0}, {0, 0, 0, 1},  //
                                           {0, 0, 0, 2}, {0, 0, 0, 64}, {0, 1, 0, 1}, {1, 1, 1, 1}};
    for (const auto& d : neighbours) {
        int both = 0;
        for (std::uint32_t step = 0; step < n; ++step)
            for (std::uint32_t cell = 0; cell < n; ++cell)
                both += drops(0.3f, 5, step, 2, cell) && drops(0.3f, 5 + d[0], step + d[1], 2 + d[2], cell + d[3]);
        INFO("neighbour ", d[0], " ", d[1], " ", d[2], " ", d[3]);
        CHECK(deviation(both, n * n, rate * rate) < 4.5);
    }
}

TEST_CASE("dropout: over many steps, one cell is dropped as often as the rate says") {
    constexpr std::uint32_t steps = 20000;
    for (const std::uint32_t cell : {0u, 1u, 12345u}) {
        int count = 0;
        for (std::uint32_t step = 0; step < steps; ++step) count += drops(0.1f, 0, step, 0, cell);
        CHECK(deviation(count, steps, 0.1) < 4.5);
    }
}

TEST_CASE("dropout: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(dropout({65, 1021}, 0.1f)) == "");
    CHECK(thread_error(dropout({65, 1021}, 0.1f, 0)) == "");
}

TEST_CASE("dropout: the state has no gradient, and wrong shapes and rates are refused") {
    CHECK(!ops::dropout(0.1f, 0)->has_gradient(1));
    CHECK(refuses(ops::dropout(0.1f, 0), {{2, 3}}));
    CHECK(refuses(ops::dropout(0.1f, 0), {{2, 3}, {2}}));
    CHECK(refuses(ops::dropout(0.1f, 0), {{2, 3}, {3}, {3}}));
    for (const float rate : {-0.1f, 1.0f, NAN}) CHECK_THROWS_AS(ops::dropout(rate, 0), Error);
}
