#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace glassformer {

/// Any text of the user's, cut in two: training text, then the last tenth, held out.
struct UserText {
    static constexpr std::size_t max_bytes = 16u << 20, min_bytes = 2000;

    std::string training, held_out;

    /// Reads a UTF-8 file of min_bytes to max_bytes. Throws Error naming the file (and the line, if it is not UTF-8)
    /// and the problem.
    static UserText load(const std::filesystem::path& path);
    /// Cuts at the last blank or line end before the last tenth, so that no word is split. Cuts inside a word (but not
    /// inside a character) if there is no blank between the start of the last quarter and that point. Throws Error
    /// naming file_name as load() does.
    static UserText parse(std::string text, const std::string& file_name);
};

}  // namespace glassformer
