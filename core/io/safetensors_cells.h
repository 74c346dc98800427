#pragma once

#include <cstdint>
#include <span>

#include "core/io/safetensors_header.h"
#include "core/tensor/stored_matrix.h"

namespace glassformer {

/// The type of cells that are read.
inline CellType cell_type(Dtype dtype) {
    return dtype == Dtype::F32 ? CellType::float32 : dtype == Dtype::F16 ? CellType::float16 : CellType::bfloat16;
}

/// The values of cells as they lie in a file (values.size() of them), widened to float32, exactly; for the readers of
/// safetensors files only.
inline void read_cells(Dtype dtype, const char* bytes, std::span<float> values) {
    widen(cell_type(dtype), reinterpret_cast<const std::byte*>(bytes), values);
}

/// Whether memory of that type may begin there.
inline bool is_aligned(CellType type, const std::byte* data) {
    return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(bytes_of(type)) == 0;
}

}  // namespace glassformer
