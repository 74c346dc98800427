#pragma once

#include <cstdint>

namespace glassformer {

/// FNV-1a hash (Fowler, Noll, Vo), to tell contents apart.
struct Fnv1a {
    static constexpr std::uint64_t offset = 0xcbf29ce484222325u, prime = 0x100000001b3u;

    std::uint64_t value = offset;

    void add(std::uint64_t part) { value = (value ^ part) * prime; }
};

}  // namespace glassformer
