#include "core/ops/elementary.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace glassformer::kernel;

TEST_CASE("tanh_of and sigmoid_of: match double precision, everywhere and near 0") {
    double worst_tanh = 0.0, worst_sigmoid = 0.0;
    for (int i = -4000; i <= 4000; ++i)
        for (const double scale : {0.02, 1e-3, 1e-6}) {
            const auto x = static_cast<float>(i * scale);
            const double v = x, t = std::tanh(v), s = 1.0 / (1.0 + std::exp(-v));
            worst_tanh = std::max(worst_tanh, std::abs(tanh_of(Floats{} + x)[0] - t) / (std::abs(t) + 1e-30));
            worst_sigmoid = std::max(worst_sigmoid, std::abs(sigmoid_of(Floats{} + x)[0] - s) / s);
        }
    CHECK(worst_tanh < 3e-7);
    CHECK(worst_sigmoid < 3e-7);
    CHECK(tanh_of(Floats{} + INFINITY)[0] == 1.0f);
    CHECK(tanh_of(Floats{} - INFINITY)[0] == -1.0f);
    CHECK(std::isnan(tanh_of(Floats{} + NAN)[0]));
    CHECK(std::isnan(sigmoid_of(Floats{} + NAN)[0]));
}
