#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace glassformer::fuzz {

/// A reader of something that another program or person may have written, given any bytes. It may refuse them with an
/// Error; anything else that leaves it is a fault.
struct Target {
    std::string_view name;  // and of the folder of its seeds, tests/fuzz/corpus/<name>
    void (*read)(std::string_view bytes);
};

std::span<const Target> core_targets();
/// Of the program; none where it is built without a window.
std::span<const Target> app_targets();

/// Reads with that target; an Error is an answer.
void run(const Target& target, std::string_view bytes);

/// A file of that name that holds the bytes, in a folder of this process that is removed at its end.
std::filesystem::path file_with(std::string_view bytes, const std::string& name);

}  // namespace glassformer::fuzz
