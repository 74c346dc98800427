#include "core/platform/reserved_memory.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/platform/windows/system.h"

namespace glassformer {

ReservedMemory::ReservedMemory(std::size_t floats) : bytes_(std::max<std::size_t>(floats, 1) * sizeof(float)) {
    void* const at = ::VirtualAlloc(nullptr, bytes_, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (!at) throw Error("the system has no room for {1} bytes of addresses", bytes_);
    data_ = static_cast<float*>(at);
}

ReservedMemory::~ReservedMemory() {
    if (data_) ::VirtualFree(data_, 0, MEM_RELEASE);
}

ReservedMemory::ReservedMemory(ReservedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}

}  // namespace glassformer
