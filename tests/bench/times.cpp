#include <algorithm>

#include "tests/bench/bench.h"

namespace glassformer::app::bench {

double elapsed_ms(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double Times::quantile(double q) const {
    if (ms.empty()) return 0.0;
    std::vector<double> sorted = ms;
    std::ranges::sort(sorted);
    return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(q * static_cast<double>(sorted.size())))];
}

}  // namespace glassformer::app::bench
