#pragma once

#include <cstddef>

namespace glassformer::platform {

/// While this exists, parts of a mapped file that have been truncated read as zeros; without it, reading them ends the
/// program (SIGBUS). Afterwards, check whether the file is unchanged.
class TruncationGuard {
public:
    /// The `size` bytes from `begin` must stay mapped as long as this exists.
    TruncationGuard(const void* begin, std::size_t size);
    ~TruncationGuard();
    TruncationGuard(const TruncationGuard&) = delete;
    TruncationGuard& operator=(const TruncationGuard&) = delete;

    /// False if too many files are mapped to guard this one.
    bool guards() const { return place_ != nullptr; }

private:
    struct Place;
    Place* place_ = nullptr;
    friend struct CutFileSignal;
};

}  // namespace glassformer::platform
