#pragma once

#include <filesystem>
#include <string>

#include "core/platform/process.h"

namespace glassformer {

/// On Windows, links need privileges, and devices and permissions are different.
inline constexpr bool on_windows = std::filesystem::path::preferred_separator == '\\';

/// An empty folder for one test, removed with its content at the end of the scope.
class TemporaryFolder {
public:
    TemporaryFolder() {
        static int count = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("glassformer-test-" + std::to_string(platform::process_id()) + "-" + std::to_string(count++));
        std::filesystem::create_directory(path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// Sets the working folder for the rest of the scope.
class WorkingFolder {
public:
    explicit WorkingFolder(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder);
    }
    ~WorkingFolder() { std::filesystem::current_path(before_); }
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;

private:
    std::filesystem::path before_;
};

}  // namespace glassformer
