#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "core/platform/file.h"

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
    struct Mapping;  // what the system needs to end it

    File file_;
    FileStamp opened_;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::unique_ptr<Mapping> mapping_;
};

}  // namespace glassformer::platform
