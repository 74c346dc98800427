#pragma once

#include <cstdint>
#include <span>

#include "core/io/safetensors_header.h"
#include "core/tensor/typed_matrix.h"

namespace glassformer {

/// The type of cells that are read.
inline DType dtype_of(FileDType dtype) {
    return dtype == FileDType::F32 ? DType::float32 : dtype == FileDType::F16 ? DType::float16 : DType::bfloat16;
}

/// The values of cells as they lie in a file (values.size() of them), widened to float32, exactly; for the readers of
/// safetensors files only.
inline void read_cells(FileDType dtype, const char* bytes, std::span<float> values) {
    to_float32(dtype_of(dtype), reinterpret_cast<const std::byte*>(bytes), values);
}

/// Whether memory of that type may begin there.
inline bool is_aligned(DType type, const std::byte* data) {
    return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(bytes_of(type)) == 0;
}

}  // namespace glassformer
