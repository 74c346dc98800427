#include <sys/resource.h>

#include <algorithm>

#include "app/bench/bench.h"

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

double peak_memory_mb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace glassformer::app::bench
