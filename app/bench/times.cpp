#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

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

double resident_memory_mb() {
    std::ifstream statm("/proc/self/statm");
    double total = 0.0, resident = 0.0;
    statm >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024.0 * 1024.0);
}

double available_memory_mb() {
    std::ifstream meminfo("/proc/meminfo");
    std::string name, unit;
    for (double kb = 0.0; meminfo >> name >> kb; std::getline(meminfo, unit))
        if (name == "MemAvailable:") return kb / 1024.0;
    return std::numeric_limits<double>::infinity();
}

}  // namespace glassformer::app::bench
