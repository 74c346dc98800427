#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace glassformer {

/// The residual stream [d_model] at a homonym, and which sense is meant there; the senses of a homonym are 2h and
/// 2h + 1.
struct SensePoint {
    std::span<const float> stream;
    int sense = 0;
};

/// By sense the mean direction (the centroid) of its points: the sum of unit vectors, so that long ones do not count
/// more; zeros for a sense without points.
std::vector<std::vector<float>> sense_centroids(std::span<const SensePoint> points, std::size_t senses);

/// The share of the points (0 … 1) that lie nearer (cosine) to the centroid of their own sense than to the other's; a
/// tie counts half. 0 where there are no points. Chance is 0.5.
float sense_accuracy(std::span<const SensePoint> points, std::span<const std::vector<float>> centroids);

}  // namespace glassformer
