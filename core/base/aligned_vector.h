#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace glassformer {

/// Allocates on cache lines. Eigen runs the cells before the first aligned one, and those after the last whole packet,
/// one by one; there e^x, √x and fused products can round differently than in packets. So numbers that must be the same
/// bytes in every run live in buffers that start at the same place of a line in every run.
template <class T>
struct AlignedAllocator {
    using value_type = T;
    static constexpr std::align_val_t line{64};

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
    void deallocate(T* data, std::size_t) { ::operator delete(data, line); }

    template <class U>
    bool operator==(const AlignedAllocator<U>&) const {
        return true;
    }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace glassformer
