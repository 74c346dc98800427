#include "core/tensor/tensor.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

Shape::Shape(std::initializer_list<std::int64_t> sizes) { assign({sizes.begin(), sizes.size()}); }

Shape::Shape(std::span<const std::int64_t> sizes) { assign(sizes); }

void Shape::assign(std::span<const std::int64_t> sizes) {
    if (sizes.size() > static_cast<std::size_t>(max_rank))
        throw Error("a shape has {1} axes; at most {2} are supported", sizes.size(), max_rank);
    rank_ = static_cast<int>(sizes.size());
    std::copy(sizes.begin(), sizes.end(), sizes_.begin());
    for (const std::int64_t size : sizes) {
        if (size < 0) throw Error("a shape has a negative size: {1}", to_string());
        if (__builtin_mul_overflow(elements_, size, &elements_))
            throw Error("a shape's number of cells overflows: {1}", to_string());
    }
}

Shape Shape::without_first() const { return Shape(sizes().subspan(1)); }

std::string Shape::to_string() const {
    std::string text = "[";
    for (int axis = 0; axis < rank_; ++axis) text += (axis ? ", " : "") + std::to_string((*this)[axis]);
    return text + "]";
}

bool Shape::operator==(const Shape& other) const { return std::ranges::equal(sizes(), other.sizes()); }

std::int64_t offset_of(const Shape& shape, const Index& index) {
    std::int64_t offset = 0;
    for (int axis = 0; axis < shape.rank(); ++axis) offset = offset * shape[axis] + index[axis];
    return offset;
}

Index index_of(const Shape& shape, std::int64_t offset) {
    Index index{};
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        index[axis] = offset % shape[axis];
        offset /= shape[axis];
    }
    return index;
}

Tensor::Tensor(const Shape& shape, std::vector<float> values) : shape_(shape), values_(std::move(values)) {
    if (static_cast<std::int64_t>(values_.size()) != shape_.elements())
        throw Error("a tensor of shape {1} was given {2} values", shape_.to_string(), values_.size());
}

Tensor Tensor::reshaped(const Shape& shape) const { return Tensor(shape, values_); }

}  // namespace glassformer
