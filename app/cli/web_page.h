#pragma once

#include <filesystem>

namespace glassformer::app {

/// Writes `page`, which is the program in one file for browsers (scripts/web.sh makes it), with the .glass file in it:
/// it opens with that. One that `page` had goes. Throws Error when `page` is no such file, and as
/// write_file_atomically.
void write_page_with(const std::filesystem::path& page, const std::filesystem::path& glass,
                     const std::filesystem::path& out);

}  // namespace glassformer::app
