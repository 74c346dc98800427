#pragma once

#include <cstring>
#include <span>

namespace glassformer {

/// Whether two lists hold the same bytes: unlike ==, NaN equals itself, and 0 is not −0.
inline bool same_bytes(std::span<const float> a, std::span<const float> b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

}  // namespace glassformer
