#pragma once

#include <span>
#include <vector>

#include "core/tensor/shape.h"

namespace glassformer {

/// Row-major float32 values with a shape; owns its storage. Whole numbers (token ids, targets) are stored as float32
/// too, which is exact up to 2^24.
class Tensor {
public:
    Tensor() : values_(1) {}
    explicit Tensor(const Shape& shape) : shape_(shape), values_(static_cast<std::size_t>(shape.elements())) {}
    /// Throws Error when the number of values is not the shape's.
    Tensor(const Shape& shape, std::vector<float> values);

    const Shape& shape() const { return shape_; }
    std::span<const float> values() const { return values_; }
    std::span<float> values() { return values_; }
    const float* data() const { return values_.data(); }
    float* data() { return values_.data(); }

    float at(const Index& index) const { return values_[offset_of(shape_, index)]; }
    /// The same values under another shape; throws Error when the number of cells differs.
    Tensor reshaped(const Shape& shape) const;

private:
    Shape shape_;
    std::vector<float> values_;
};

}  // namespace glassformer
