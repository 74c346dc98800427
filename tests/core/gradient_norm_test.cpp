#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/train/optimizer.h"

using namespace glassformer;

TEST_CASE("the gradient norm is the root of the sum of squares at every size, and reads no cell past the end") {
    constexpr std::int64_t piece = 8192;
    ThreadPool one(1), three(3);
    for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{15}, std::int64_t{16}, std::int64_t{17},
                                 piece - 1, piece, piece + 1, 3 * piece + 5, 256 * piece, 256 * piece + 1}) {
        CAPTURE(n);
        std::vector<float> cells(static_cast<std::size_t>(n) + 32, 1e15f);
        double sum = 0.0;
        for (std::int64_t i = 0; i < n; ++i) {
            const float value = 0.01f * static_cast<float>(1 + i * i % 7) * (i % 2 == 0 ? 1.0f : -1.0f);
            cells[i] = value;
            sum += static_cast<double>(value) * static_cast<double>(value);
        }
        const std::span<const float> gradients(cells.data(), static_cast<std::size_t>(n));
        const double norm = gradient_norm(gradients, one);
        CHECK(norm == doctest::Approx(std::sqrt(sum)).epsilon(1e-4));
        CHECK(gradient_norm(gradients, three) == norm);
    }
}
