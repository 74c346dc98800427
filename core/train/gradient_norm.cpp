#include "core/train/gradient_norm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace glassformer {

namespace {

constexpr std::int64_t piece = 8192;

// Σ g² in sixteen lanes, whatever the alignment of g: Eigen's own sum starts at the first aligned value, so its result
// would depend on where the vector happens to lie.
double sum_of_squares(const float* g, std::int64_t n) {
    std::array<float, 16> lane{};
    std::int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        for (std::size_t l = 0; l < 16; ++l)
            lane[l] += g[i + static_cast<std::int64_t>(l)] * g[i + static_cast<std::int64_t>(l)];
    double sum = 0.0;
    for (const float part : lane) sum += static_cast<double>(part);
    for (; i < n; ++i) sum += static_cast<double>(g[i]) * static_cast<double>(g[i]);
    return sum;
}

}  // namespace

double gradient_norm(std::span<const float> gradients, ThreadPool& pool) {
    // At most 256 partial sums, each over a piece that depends on the size alone.
    constexpr std::int64_t most = 256;
    const auto n = static_cast<std::int64_t>(gradients.size());
    const std::int64_t step = std::max<std::int64_t>(piece, (n + most - 1) / most), pieces = (n + step - 1) / step;
    std::array<double, most> partial{};
    pool.run(pieces, [&](std::int64_t i) {
        const std::int64_t begin = i * step, count = std::min(step, n - begin);
        partial[i] = sum_of_squares(gradients.data() + begin, count);
    });
    return std::sqrt(std::accumulate(partial.begin(), partial.begin() + pieces, 0.0));
}

}  // namespace glassformer
