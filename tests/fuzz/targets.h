#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace glassformer::fuzz {

/// A reader of data from other programs or people, called with arbitrary bytes. It may reject them with an Error; any
/// other exception is a bug.
struct Target {
    std::string_view name;  // also names its seed folder, tests/fuzz/corpus/<name>
    void (*read)(std::string_view bytes);
};

std::span<const Target> core_targets();
/// The readers of the program; none in a build without the window.
std::span<const Target> app_targets();

/// Runs the target on these bytes; an Error counts as an answer.
void run(const Target& target, std::string_view bytes);

/// Writes the bytes to a file of that name in this process's temporary folder, which is removed at exit.
std::filesystem::path file_with(std::string_view bytes, const std::string& name);

}  // namespace glassformer::fuzz
