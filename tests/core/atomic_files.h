#pragma once

// Shared by the tests that replace files and folders.

#include <filesystem>
#include <set>
#include <string>

#include "core/platform/atomic_file.h"
#include "tests/core/error_of.h"

namespace glassformer {

namespace fs = std::filesystem;

inline std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
    return names;
}

inline const std::string large(1 << 20, 'x');

/// The kind of folder that these tests write.
inline const FolderKind kind{"a checkpoint",
                             {"config.json", "model.safetensors", "leftover", "deeper/file"},
                             [](const fs::path& folder) { return fs::exists(folder / "config.json"); }};

inline std::string content(const fs::path& path) { return read_file(path, 1 << 24); }

inline void fill_checkpoint(const fs::path& folder, const std::string& config) {
    write_file_atomically(folder / "config.json", config);
    write_file_atomically(folder / "model.safetensors", "cells of " + config);
}

}  // namespace glassformer
