#include <array>
#include <cmath>

#include "core/analysis/running_time.h"
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

namespace {

constexpr std::array<int, 5> lengths{128, 256, 512, 1024, 2048};
constexpr int scaling_runs = 7;

/// How the time grows over the last fourfold of the length: time ~ length^slope.
double slope(const std::vector<double>& ms) {
    const std::size_t n = ms.size();
    return std::log(ms[n - 1] / ms[n - 3]) / std::log(static_cast<double>(lengths[n - 1]) / lengths[n - 3]);
}

}  // namespace

nlohmann::json scaling(CpuBackend& backend) {
    std::vector<double> attention, mlp;
    for (const int positions : lengths) {
        attention.push_back(best_milliseconds(backend, LayerPart::attention, {}, positions, scaling_runs));
        mlp.push_back(best_milliseconds(backend, LayerPart::mlp, {}, positions, scaling_runs));
    }
    return {{"tokens", lengths},
            {"attention_ms", attention},
            {"mlp_ms", mlp},
            {"attention_slope", slope(attention)},
            {"mlp_slope", slope(mlp)}};
}

}  // namespace glassformer::app::bench
