#include "core/platform/mapped_file.h"

#include <io.h>

#include "core/platform/system_error.h"
#include "core/platform/windows/system.h"

namespace glassformer::platform {

/// Windows lets nobody truncate a mapped file, so no read can fail.
struct MappedFile::Mapping {
    explicit Mapping(const void* at) : begin(at) {}
    ~Mapping() { ::UnmapViewOfFile(begin); }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    const void* begin;
};

MappedFile::MappedFile(const std::filesystem::path& path)
    : file_(path, OpenFor::reading, "read", path), opened_(file_.stamp()) {
    size_ = static_cast<std::size_t>(opened_.size);
    if (size_ == 0) return;
    const auto file = reinterpret_cast<HANDLE>(::_get_osfhandle(file_.get()));
    const Handle mapping(::CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr));
    const void* const at = mapping ? ::MapViewOfFile(mapping.get(), FILE_MAP_READ, 0, 0, 0) : nullptr;
    if (!at) fail_to("read", path, errno_of());
    data_ = static_cast<const std::byte*>(at);
    mapping_ = std::make_unique<Mapping>(at);  // the view keeps the mapping alive
}

MappedFile::~MappedFile() = default;

bool MappedFile::unchanged() const { return file_.stamp() == opened_; }

}  // namespace glassformer::platform
