#include "core/platform/reserved_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace glassformer {

ReservedMemory::ReservedMemory(std::size_t floats) : bytes_(std::max<std::size_t>(floats, 1) * sizeof(float)) {
#if defined(MAP_NORESERVE)
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#else
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#endif
    void* const at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED) throw Error("the system has no room for {1} bytes of addresses", bytes_);
    data_ = static_cast<float*>(at);
}

ReservedMemory::~ReservedMemory() {
    if (data_) munmap(data_, bytes_);
}

ReservedMemory::ReservedMemory(ReservedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}

}  // namespace glassformer
