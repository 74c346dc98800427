#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "core/platform/file.h"

namespace glassformer::platform {

/// A regular file mapped into memory for reading: the system loads its pages on first use and may evict them again.
/// Replacing the file by another of that name changes nothing here; writing into it does, and truncated parts read as
/// zeros. unchanged() detects both, so call it after reading, too.
class MappedFile {
public:
    /// Throws SystemError, also if the system cannot map such a file.
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {data_, size_}; }
    /// True if nobody has written into the file or truncated it since it was opened.
    bool unchanged() const;

private:
    struct Mapping;  // what the system needs to unmap it

    File file_;
    FileStamp opened_;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::unique_ptr<Mapping> mapping_;
};

}  // namespace glassformer::platform
