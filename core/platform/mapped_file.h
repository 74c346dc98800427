#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "core/platform/file.h"
#include "core/platform/truncation_guard.h"

namespace glassformer::platform {

/// The bytes of a regular file as memory, for reading: the system reads them when they are first used, and may give
/// the memory to others in between. Another file of that name changes nothing here; writing into this one does, and
/// what is cut off reads as zeros. unchanged() tells of both, so ask it after reading too.
class MappedFile {
public:
    /// Throws SystemError, also where the system cannot do this with such a file.
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {data_, size_}; }
    /// Whether nobody has written into the file, or cut it, since it was opened.
    bool unchanged() const;

private:
    struct Stamp {
        std::uint64_t size = 0;
        std::int64_t seconds = 0, nanoseconds = 0;
        bool operator==(const Stamp&) const = default;
    };
    Stamp stamp() const;

    File file_;
    Stamp opened_;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::optional<TruncationGuard> guard_;
};

}  // namespace glassformer::platform
