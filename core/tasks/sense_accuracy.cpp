#include "core/tasks/sense_accuracy.h"

#include <cmath>

namespace glassformer {

namespace {

double product(std::span<const float> a, std::span<const float> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

}  // namespace

std::vector<std::vector<float>> sense_centroids(std::span<const SensePoint> points, std::size_t senses) {
    const std::size_t d = points.empty() ? 0 : points.front().stream.size();
    std::vector<std::vector<float>> centroids(senses, std::vector<float>(d));
    for (const SensePoint& point : points) {
        std::vector<float>& sum = centroids[point.sense];
        const auto length = static_cast<float>(std::sqrt(product(point.stream, point.stream)));
        for (std::size_t j = 0; j < d; ++j) sum[j] += point.stream[j] / (length > 0.0f ? length : 1.0f);
    }
    return centroids;
}

float sense_accuracy(std::span<const SensePoint> points, std::span<const std::vector<float>> centroids) {
    if (points.empty()) return 0.0f;
    double right = 0.0;
    for (const SensePoint& point : points) {
        const auto own = static_cast<std::size_t>(point.sense),
                   other = own ^ 1u;  // the senses of a homonym are neighbours
        const auto nearness = [&](std::size_t sense) {
            return product(point.stream, centroids[sense]) /
                   std::sqrt(product(centroids[sense], centroids[sense]) + 1e-30);
        };
        const double here = nearness(own), there = nearness(other);
        right += here > there ? 1.0 : here == there ? 0.5 : 0.0;
    }
    return static_cast<float>(right / static_cast<double>(points.size()));
}

}  // namespace glassformer
