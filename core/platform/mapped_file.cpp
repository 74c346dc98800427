#include "core/platform/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <limits>

#include "core/platform/system_error.h"

namespace glassformer::platform {

MappedFile::MappedFile(const std::filesystem::path& path) : file_(path, OpenFor::reading, "read", path) {
    opened_ = stamp();
    if (opened_.size > std::numeric_limits<std::size_t>::max()) fail("read", path, ENOMEM);
    size_ = static_cast<std::size_t>(opened_.size);
    if (size_ == 0) return;
    void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.get(), 0);
    if (at == MAP_FAILED) fail("read", path, errno);
    data_ = static_cast<const std::byte*>(at);
    guard_.emplace(at, size_);
    if (guard_->guards()) return;
    ::munmap(at, size_);
    fail("read", path, ENFILE);
}

MappedFile::~MappedFile() {
    guard_.reset();
    if (data_) ::munmap(const_cast<std::byte*>(data_), size_);
}

bool MappedFile::unchanged() const { return stamp() == opened_; }

MappedFile::Stamp MappedFile::stamp() const {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) return {};
    return {static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

}  // namespace glassformer::platform
