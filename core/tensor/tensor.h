#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace glassformer {

/// The sizes of a tensor's axes, outermost first; at most Shape::max_rank axes. A value type that never allocates.
class Shape {
public:
    static constexpr int max_rank = 6;

    Shape() = default;
    /// Throws Error if there are more than max_rank axes, a size is negative, or the product overflows.
    Shape(std::initializer_list<std::int64_t> sizes);
    explicit Shape(std::span<const std::int64_t> sizes);

    int rank() const { return rank_; }
    std::int64_t operator[](int axis) const { return sizes_[axis]; }
    /// Counts from the innermost axis: back(0) is the last one.
    std::int64_t back(int from_last = 0) const { return (*this)[rank_ - 1 - from_last]; }
    /// Number of cells; 1 for a scalar (rank 0).
    std::int64_t elements() const { return elements_; }
    std::span<const std::int64_t> sizes() const { return {sizes_.data(), static_cast<std::size_t>(rank_)}; }

    /// The same axes without the first.
    Shape without_first() const;
    /// "[9, 4, 16]".
    std::string to_string() const;

    bool operator==(const Shape& other) const;

private:
    void assign(std::span<const std::int64_t> sizes);

    std::array<std::int64_t, max_rank> sizes_{};
    int rank_ = 0;
    std::int64_t elements_ = 1;
};

/// Row-major position of a cell: index[0] is the outermost axis.
using Index = std::array<std::int64_t, Shape::max_rank>;

/// Row-major offset of a cell, and back.
std::int64_t offset_of(const Shape& shape, const Index& index);
Index index_of(const Shape& shape, std::int64_t offset);

/// Row-major float32 values with a shape; owns its storage. Integers (token ids, targets) are stored as float32 too,
/// which is exact up to 2^24.
class Tensor {
public:
    Tensor() : values_(1) {}
    explicit Tensor(const Shape& shape) : shape_(shape), values_(static_cast<std::size_t>(shape.elements())) {}
    /// Throws Error if the number of values does not match the shape.
    Tensor(const Shape& shape, std::vector<float> values);

    const Shape& shape() const { return shape_; }
    std::span<const float> values() const { return values_; }
    std::span<float> values() { return values_; }
    const float* data() const { return values_.data(); }
    float* data() { return values_.data(); }

    float at(const Index& index) const { return values_[offset_of(shape_, index)]; }
    /// The same values with another shape; throws Error if the number of cells differs.
    Tensor reshaped(const Shape& shape) const;

private:
    Shape shape_;
    std::vector<float> values_;
};

}  // namespace glassformer
