#pragma once

#include <filesystem>

namespace glassformer::platform {

/// A folder among the system's temporary files that nobody else can read; removed with its content at the end of the
/// scope.
class ScratchFolder {
public:
    /// Throws SystemError when it cannot be made.
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace glassformer::platform
