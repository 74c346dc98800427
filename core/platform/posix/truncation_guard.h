#pragma once

#include <cstddef>

namespace glassformer::platform {

/// While this lives, bytes of a mapped file that are there no more (someone has cut the file) read as zeros; without
/// it, reading them ends the program (SIGBUS). Whoever has read from the file asks afterwards whether it is unchanged.
class TruncationGuard {
public:
    /// `size` bytes from `begin` on are mapped, and stay so as long as this lives.
    TruncationGuard(const void* begin, std::size_t size);
    ~TruncationGuard();
    TruncationGuard(const TruncationGuard&) = delete;
    TruncationGuard& operator=(const TruncationGuard&) = delete;

    /// False when too many files are mapped for this one to be guarded.
    bool guards() const { return place_ != nullptr; }

private:
    struct Place;
    Place* place_ = nullptr;
    friend struct CutFileSignal;
};

}  // namespace glassformer::platform
