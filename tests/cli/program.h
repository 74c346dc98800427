#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/contains.h"
#include "tests/core/temporary_folder.h"

namespace glassformer {

/// The result of running the program.
struct Ran {
    int code = 0;  ///< exit code; 128 + n when signal n ended it
    std::string out, err;

    bool says(const std::string& part) const { return contains(err, part); }
    /// True if the only output is one line on standard error that starts with the program's prefix for messages.
    bool one_line() const {
        return out.empty() && err.starts_with("glassformer: ") && err.find('\n') + 1 == err.size();
    }
};

/// With the system's separators, as the program writes them.
inline const std::filesystem::path own_sources = std::filesystem::path(GLASSFORMER_SOURCE_DIR).make_preferred();
inline const std::filesystem::path shipped_model = own_sources / "assets/models/homonyms";

inline std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return (std::ostringstream() << in.rdbuf()).str();
}

inline void write(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

/// Quotes any text for the shell.
inline std::string in_quotes(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// The environment in which a program starts.
struct Start {
    std::filesystem::path folder = {};                  ///< working folder; "": an empty one
    std::map<std::string, std::string> variables = {};  ///< environment variables; "": unset
    std::string program = GLASSFORMER_PROGRAM;
};

/// Without a display, on systems that can lack one.
inline const Start no_screen{.variables = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}}};

/// Runs the program, or another one, as a user would in a shell.
Ran run(const std::vector<std::string>& arguments, const Start& start = {});

/// Starts the program, discarding its output, and kills it once reached() returns true. Fails if it has exited before.
void kill_when(const std::vector<std::string>& arguments, const std::function<bool()>& reached);

}  // namespace glassformer
