#pragma once

#include <array>
#include <cstddef>
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

/// The work of pca(), piece by piece: the products of all pairs of dimensions, added up over the points.
class PcaSums {
public:
    /// `points` [n, d] row-major; they outlive this.
    PcaSums(std::span<const float> points, std::size_t d);

    bool complete() const { return added_ >= count_; }
    /// Adds the next few thousand points; nothing once it is complete.
    void add_rows();
    /// What pca() returns, once it is complete.
    Pca directions(const Pca* previous = nullptr) const;

private:
    std::span<const float> points_;
    std::size_t width_, count_, added_ = 0;
    std::vector<float> mean_;     // [d]
    std::vector<float> scatter_;  // [d, d], its lower triangle
};

}  // namespace glassformer
