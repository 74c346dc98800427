#pragma once

#include <cstddef>

namespace glassformer {

/// A zero-filled address range in which only pages that are written to use memory.
class ReservedMemory {
public:
    /// Throws Error if the system has no such range left.
    explicit ReservedMemory(std::size_t floats);
    ~ReservedMemory();
    ReservedMemory(ReservedMemory&& other) noexcept;
    ReservedMemory(const ReservedMemory&) = delete;
    ReservedMemory& operator=(const ReservedMemory&) = delete;

    float* data() { return data_; }
    const float* data() const { return data_; }

private:
    float* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace glassformer
