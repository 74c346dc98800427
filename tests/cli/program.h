#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/core/temporary_folder.h"

namespace glassformer {

/// What a run of the program left behind.
struct Ran {
    int code = 0;  ///< exit code; 128 + n when signal n ended it
    std::string out, err;

    bool says(const std::string& part) const { return err.find(part) != std::string::npos; }
    /// Exactly one line on standard error that begins as every message of the program does, and nothing printed.
    bool one_line() const {
        return out.empty() && err.starts_with("glassformer: ") && err.find('\n') + 1 == err.size();
    }
};

/// With its drive on Windows, since the program starts in another folder.
inline const std::filesystem::path own_sources = std::filesystem::absolute(GLASSFORMER_SOURCE_DIR);
inline const std::filesystem::path shipped_model = own_sources / "assets/models/homonyms";

inline std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return (std::ostringstream() << in.rdbuf()).str();
}

inline void write(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

/// For the shell, whatever is in it.
inline std::string in_quotes(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// Where a program is started, and with what.
struct Start {
    std::filesystem::path folder = {};                  ///< "": an empty one
    std::map<std::string, std::string> variables = {};  ///< of the environment; "": not set
    std::string program = GLASSFORMER_PROGRAM;
};

/// Without a screen, where a system can be without one.
inline const Start no_screen{.variables = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}}};

/// Runs the program, or another one, as a person would in a shell.
Ran run(const std::vector<std::string>& arguments, const Start& start = {});

/// Starts the program, silent, and kills it as soon as reached() says so; it must not have ended by itself before.
void kill_when(const std::vector<std::string>& arguments, const std::function<bool()>& reached);

}  // namespace glassformer
