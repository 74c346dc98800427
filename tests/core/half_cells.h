#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/io/safetensors.h"

namespace glassformer {

/// Converts a value to binary16, rounding towards zero.
inline std::uint16_t half_of(float value) {
    const std::uint32_t wide = std::bit_cast<std::uint32_t>(value), sign = wide >> 16 & 0x8000u;
    const float magnitude = std::abs(value);
    const std::uint32_t bits = magnitude < 0x1p-14f ? static_cast<std::uint32_t>(magnitude * 0x1p24f)
                                                    : ((wide & 0x7fffffffu) >> 13) - (112u << 10);
    return static_cast<std::uint16_t>(sign | bits);
}

/// Returns a file's bytes with cells of this dtype: "BF16" keeps each float's upper half, "F16" converts it to
/// binary16, "F32" leaves it unchanged.
inline std::string with_cells(const Safetensors& content, const std::string& dtype) {
    nlohmann::json header;
    std::string data;
    for (const auto& [name, tensor] : content.tensors) {
        const std::size_t begin = data.size();
        for (const float value : tensor.values()) {
            const std::uint32_t wide = std::bit_cast<std::uint32_t>(value);
            const std::uint16_t bits = dtype == "F16" ? half_of(value) : static_cast<std::uint16_t>(wide >> 16);
            if (dtype == "F32")
                data.append(reinterpret_cast<const char*>(&wide), sizeof wide);
            else
                data.append(reinterpret_cast<const char*>(&bits), sizeof bits);
        }
        const auto sizes = tensor.shape().sizes();
        header[name] = {{"dtype", dtype},
                        {"shape", std::vector<std::int64_t>(sizes.begin(), sizes.end())},
                        {"data_offsets", {begin, data.size()}}};
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // as the writers do, so that cells lie at even addresses
    const std::uint64_t length = text.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + data;
}

}  // namespace glassformer
