#include "core/analysis/nearest_words.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

namespace {

constexpr double least_apart = 1e-6;  // of the mean's length: below it lies the rounding of the sums

}  // namespace

std::vector<Neighbor> nearest_words(const SenseProbeResult& probe, int layer, std::span<const float> vector, int except,
                                    std::size_t count) {
    const std::size_t at = layer;
    if (at >= probe.mean.size()) return {};
    const std::vector<float>&mean = probe.mean[at], &words = probe.word_means[at];
    const std::size_t d = mean.size();
    double length = 0.0;
    for (const float m : mean) length += static_cast<double>(m) * static_cast<double>(m);
    const double least = least_apart * least_apart * length;
    std::vector<Neighbor> found;
    for (std::size_t id = 0; id < probe.word_seen.size(); ++id) {
        if (!probe.word_seen[id] || static_cast<int>(id) == except) continue;
        double ab = 0.0, aa = 0.0, bb = 0.0;
        for (std::size_t j = 0; j < d; ++j) {
            const double a = static_cast<double>(vector[j]) - static_cast<double>(mean[j]);
            const double b = static_cast<double>(words[id * d + j]) - static_cast<double>(mean[j]);
            ab += a * b;
            aa += a * a;
            bb += b * b;
        }
        if (aa > least && bb > least)
            found.push_back({static_cast<int>(id), static_cast<float>(ab / std::sqrt(aa * bb + 1e-30))});
    }
    std::ranges::stable_sort(found, [](const Neighbor& a, const Neighbor& b) { return a.cosine > b.cosine; });
    if (found.size() > count) found.resize(count);
    return found;
}

}  // namespace glassformer
