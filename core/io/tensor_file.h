#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/parameters.h"
#include "core/io/safetensors_header.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// Cells as a file holds them, one after the other, and what they lie in.
struct CellsInFile {
    DType type = DType::float32;
    const std::byte* data = nullptr;
    std::shared_ptr<const StoredCells> owner = {};
};

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
    /// The same cells, not widened, in memory that the file is mapped to where that can be. Throws as read(). None
    /// where they do not lie row by row or on addresses that suit their size.
    virtual std::optional<CellsInFile> cells(const TensorEntry& entry) const = 0;
};

}  // namespace glassformer
