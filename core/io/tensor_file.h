#pragma once

#include <string>
#include <vector>

#include "core/io/safetensors_header.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// A file of named tensors of which one at a time is read; for the readers of models only.
class TensorFile {
public:
    virtual ~TensorFile() = default;

    /// The path as messages show it.
    virtual const std::string& name() const = 0;
    virtual const std::vector<TensorEntry>& entries() const = 0;
    /// The cells of an entry, as float32. Throws Error naming file and tensor: one of its cells is not a finite number,
    /// its dtype is not read, or the file has become shorter.
    virtual Tensor read(const TensorEntry& entry) const = 0;
};

}  // namespace glassformer
