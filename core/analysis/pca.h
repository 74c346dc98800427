#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace glassformer {

/// The three directions in which a cloud of points varies most (Pearson 1901), for projecting points onto them.
struct Pca {
    std::vector<float> mean;                       // [d]
    std::array<std::vector<float>, 3> directions;  // [d] each, unit length; zeros where there are fewer dimensions
    std::array<float, 3> share{};                  // share of the variance, 0 … 1

    std::array<float, 3> project(std::span<const float> point) const;
};

/// `points` is [n, d], row-major. The sign of a direction is arbitrary; given `previous`, each direction takes the sign
/// closer to the previous one, so that a live picture of training does not flip.
Pca pca(std::span<const float> points, std::size_t d, const Pca* previous = nullptr);

/// pca() in steps: sums the products of all pairs of dimensions over the points.
class PcaSums {
public:
    /// `points` is [n, d], row-major, and must outlive this object.
    PcaSums(std::span<const float> points, std::size_t d);

    bool complete() const { return added_ >= count_; }
    /// Adds the next few thousand points; does nothing once complete.
    void add_rows();
    /// Returns what pca() returns. Call only once complete.
    Pca directions(const Pca* previous = nullptr) const;

private:
    std::span<const float> points_;
    std::size_t width_, count_, added_ = 0;
    std::vector<float> mean_;     // [d]
    std::vector<float> scatter_;  // [d, d], lower triangle
};

}  // namespace glassformer
