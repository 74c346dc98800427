#include "core/platform/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <limits>
#include <optional>

#include "core/platform/posix/truncation_guard.h"
#include "core/platform/system_error.h"

namespace glassformer::platform {

struct MappedFile::Mapping {
    Mapping(void* at, std::size_t bytes) : begin(at), size(bytes), guard(std::in_place, at, bytes) {}
    ~Mapping() {
        guard.reset();
        ::munmap(begin, size);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    void* begin;
    std::size_t size;
    std::optional<TruncationGuard> guard;  // destroyed first, while the memory is still mapped
};

MappedFile::MappedFile(const std::filesystem::path& path)
    : file_(path, OpenFor::reading, "read", path), opened_(file_.stamp()) {
    if (opened_.size > std::numeric_limits<std::size_t>::max()) fail_to("read", path, ENOMEM);
    size_ = static_cast<std::size_t>(opened_.size);
    if (size_ == 0) return;
    void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.get(), 0);
    if (at == MAP_FAILED) fail_to("read", path, errno);
    data_ = static_cast<const std::byte*>(at);
    mapping_ = std::make_unique<Mapping>(at, size_);
    if (!mapping_->guard->guards()) fail_to("read", path, ENFILE);
}

MappedFile::~MappedFile() = default;

bool MappedFile::unchanged() const { return file_.stamp() == opened_; }

}  // namespace glassformer::platform
