#pragma once

#include <array>
#include <span>
#include <vector>

namespace glassformer {

/// The three directions in which a cloud of points varies most (Pearson 1901), and the points seen along them.
struct Pca {
    std::vector<float> mean;                       // [d]
    std::array<std::vector<float>, 3> directions;  // [d] each, unit length; zeros where there are fewer dimensions
    std::array<float, 3> share{};                  // of the variance, 0 … 1

    std::array<float, 3> project(std::span<const float> point) const;
};

/// `points` [n, d] row-major. The sign of a direction is free; when `previous` is given each direction takes the sign
/// nearer to the previous one, so that a picture of a running training does not flip.
Pca pca(std::span<const float> points, std::size_t d, const Pca* previous = nullptr);

}  // namespace glassformer
