#pragma once

#include <cstring>
#include <span>

#include "core/io/half.h"
#include "core/io/safetensors_header.h"

namespace glassformer {

/// The values of cells as they lie in a file (values.size() of them), widened to float32, exactly; for the readers of
/// safetensors files only.
inline void read_cells(Dtype dtype, const char* bytes, std::span<float> values) {
    if (values.empty()) return;
    if (dtype == Dtype::F32) {
        std::memcpy(values.data(), bytes, values.size_bytes());
        return;
    }
    const auto widen = dtype == Dtype::F16 ? float_from_half : float_from_bfloat16;
    for (float& value : values) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, bytes, sizeof bits);
        value = widen(bits);
        bytes += sizeof bits;
    }
}

}  // namespace glassformer
