#include "core/tensor/tensor.h"

#include "core/base/error.h"

namespace glassformer {

Tensor::Tensor(const Shape& shape, std::vector<float> values) : shape_(shape), values_(std::move(values)) {
    if (static_cast<std::int64_t>(values_.size()) != shape_.elements())
        throw Error("a tensor of shape " + shape_.to_string() + " was given " + std::to_string(values_.size()) +
                    " values");
}

Tensor Tensor::reshaped(const Shape& shape) const { return Tensor(shape, values_); }

}  // namespace glassformer
