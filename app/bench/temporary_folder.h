#pragma once

#include <filesystem>
#include <string>

#include "core/platform/process.h"

namespace glassformer::app::bench {

/// A folder that goes with this, and with it whatever is in it then.
class TemporaryFolder {
public:
    TemporaryFolder()
        : path_(std::filesystem::temp_directory_path() /
                ("glassformer-large-" + std::to_string(platform::process_id()))) {}
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace glassformer::app::bench
