#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/analysis/pca.h"

namespace glassformer {

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
