#include <doctest/doctest.h>

#include <cmath>

#include "core/analysis/head_scores.h"
#include "core/base/error.h"
#include "core/base/rng.h"

using namespace glassformer;

TEST_CASE("Toeplitz: a pattern that depends only on the distance equals its fit") {
    const std::vector<float> bidirectional{0.5f, 0.3f, 0.2f, 0.1f, 0.5f, 0.3f, 0.7f, 0.1f, 0.5f};
    const ToeplitzFit fit = nearest_toeplitz(bidirectional, 3, 3, false);
    CHECK(fit.explained == doctest::Approx(1.0));
    for (std::size_t i = 0; i < 9; ++i) CHECK(fit.fitted[i] == doctest::Approx(bidirectional[i]));
    CHECK(fit.weight(-2) == doctest::Approx(0.2));
    CHECK(fit.weight(0) == doctest::Approx(0.5));
    CHECK(fit.weight(2) == doctest::Approx(0.7));

    // Each word attends to itself.
    const std::vector<float> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
    CHECK(nearest_toeplitz(identity, 3, 3, true).explained == doctest::Approx(1.0));
}

TEST_CASE("Toeplitz: one fixed column, by hand") {
    // Diagonal q − k of a 3 × 3 pattern [k = 0] holds one 1 among 3 − q cells, so Σ(p − fit)² = 3 − (1/3 + 1/2 + 1)
    // = 7/6; Σ(p − 1/3)² = 3·(4/9 + 1/9 + 1/9) = 2; R² = 1 − 7/12.
    const std::vector<float> column{1, 0, 0, 1, 0, 0, 1, 0, 0};
    const ToeplitzFit fit = nearest_toeplitz(column, 3, 3, false);
    CHECK(fit.explained == doctest::Approx(5.0 / 12.0));
    CHECK(fit.weight(0) == doctest::Approx(1.0 / 3.0));
    CHECK(fit.weight(1) == doctest::Approx(0.5));
    CHECK(fit.weight(2) == doctest::Approx(1.0));
    CHECK(fit.weight(-1) == 0.0f);

    // Causal: the same residual; the baseline is 1, then 1/2 twice, then 1/3 thrice: 0 + 1/2 + 2/3 = 7/6. R² = 0.
    CHECK(nearest_toeplitz(column, 3, 3, true).explained == doctest::Approx(0.0));
}

TEST_CASE("Toeplitz: cells that the causal mask hides are ignored") {
    std::vector<float> pattern{1, 9, 9, 0.4f, 0.6f, 9, 0.3f, 0.1f, 0.6f};
    const ToeplitzFit fit = nearest_toeplitz(pattern, 3, 3, true);
    for (const std::size_t hidden : {1u, 2u, 5u}) {
        CHECK(fit.fitted[hidden] == 0.0f);
        pattern[hidden] = 0.0f;
    }
    const ToeplitzFit clean = nearest_toeplitz(pattern, 3, 3, true);
    CHECK(clean.explained == fit.explained);
    CHECK(fit.weight(0) == doctest::Approx(2.2 / 3.0));
    CHECK(fit.weight(1) == doctest::Approx(0.25));
    CHECK(fit.weight(-1) == 0.0f);
}

TEST_CASE("Toeplitz: uniform patterns") {
    const std::vector<float> everywhere(12, 0.25f);
    CHECK(nearest_toeplitz(everywhere, 3, 4, false).explained == 1.0);  // constant, so Toeplitz
    // So is one that differs only by float rounding, here in the last bit of every second cell of a row.
    std::vector<float> rounded(36);
    for (std::size_t i = 0; i < rounded.size(); ++i)
        rounded[i] = std::nextafter(1.0f / 6, (i / 6) % 2 == 0 && i % 2 == 0 ? 1.0f : 0.0f);
    CHECK(nearest_toeplitz(rounded, 6, 6, false).explained == 1.0);
    const std::vector<float> causal{1, 0, 0, 0.5f, 0.5f, 0, 1.0f / 3, 1.0f / 3, 1.0f / 3};
    CHECK(nearest_toeplitz(causal, 3, 3, true).explained == 0.0);
}

TEST_CASE("Toeplitz: with cached keys, the last query and the last key are the same word") {
    // Two new words after two old ones: the distances are 2 1 0 −1 in row 0 and 3 2 1 0 in row 1.
    const std::vector<float> pattern{0.2f, 0.3f, 0.5f, 0, 0.1f, 0.2f, 0.3f, 0.5f};
    const ToeplitzFit fit = nearest_toeplitz(pattern, 2, 4, true);
    CHECK(fit.distance(0, 2) == 0);
    CHECK(fit.weight(3) == doctest::Approx(0.1));
    CHECK(fit.explained == doctest::Approx(1.0));
}

TEST_CASE("Toeplitz: no other Toeplitz matrix is closer") {
    Rng rng(4);
    std::vector<float> pattern(30);
    for (float& p : pattern) p = static_cast<float>(rng.uniform());
    const ToeplitzFit fit = nearest_toeplitz(pattern, 5, 6, false);
    const auto error = [&](int changed, double by) {
        double sum = 0.0;
        for (int q = 0; q < 5; ++q)
            for (int k = 0; k < 6; ++k) {
                const int distance = fit.distance(q, k);
                const double weight = static_cast<double>(fit.weight(distance)) + (distance == changed ? by : 0.0);
                sum += std::pow(static_cast<double>(pattern[q * 6 + k]) - weight, 2);
            }
        return sum;
    };
    for (int distance = fit.least(); distance <= fit.most(); ++distance)
        for (const double by : {-0.01, 0.01}) CHECK(error(distance, by) > error(distance, 0.0));
}

TEST_CASE("Toeplitz: a pattern of the wrong size is refused") {
    const std::vector<float> pattern(6);
    CHECK_THROWS_AS(nearest_toeplitz(pattern, 2, 4, false), Error);
    CHECK_THROWS_AS(nearest_toeplitz({}, 0, 4, false), Error);
    CHECK_THROWS_AS(nearest_toeplitz(pattern, -2, -3, false), Error);
}

TEST_CASE("Toeplitz: between two sentences, distance 0 means the same position in both") {
    // Three words over two of the source: words 0 and 1 attend to the source word at their own place.
    const std::vector<float> pattern{1, 0, 0, 1, 0.5f, 0.5f};
    const ToeplitzFit fit = nearest_toeplitz(pattern, 3, 2, false);
    CHECK(fit.distance(1, 1) == 0);
    CHECK(fit.least() == -1);
    CHECK(fit.most() == 2);
    CHECK(fit.weight(0) == doctest::Approx(1.0));
    CHECK(fit.weight(-1) == doctest::Approx(0.0));
    CHECK(fit.weight(1) == doctest::Approx(0.25));
    CHECK(fit.weight(2) == doctest::Approx(0.5));
}
