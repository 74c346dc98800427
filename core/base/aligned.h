#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace glassformer {

/// Aligns allocations to cache lines. Eigen handles the values before the first aligned one separately, with different
/// rounding, so vectors written by training need a fixed alignment for a seed to give the same bytes every time.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t line{64};

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
    void deallocate(T* data, std::size_t) { ::operator delete(data, line); }
    bool operator==(const CacheLineAllocator&) const { return true; }
};

using AlignedFloats = std::vector<float, CacheLineAllocator<float>>;

}  // namespace glassformer
