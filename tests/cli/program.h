#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
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

inline const std::filesystem::path shipped_model = GLASSFORMER_SOURCE_DIR "/assets/models/homonyms";

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

/// Runs the program, or another one, as a person would in a shell; `before` is put in front ("ulimit -f 400; ").
inline Ran run(const std::vector<std::string>& arguments, const std::string& before = {},
               const char* program = GLASSFORMER_PROGRAM) {
    const TemporaryFolder folder;
    std::string command = "cd " + in_quotes(folder.path().string()) + "; " + before + in_quotes(program);
    for (const std::string& argument : arguments) command += " " + in_quotes(argument);
    command += " >" + in_quotes((folder / "out").string()) + " 2>" + in_quotes((folder / "err").string());
    Ran ran;
    const int status = std::system(("( " + command + " ) </dev/null").c_str());
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran.out = contents(folder / "out");
    ran.err = contents(folder / "err");
    return ran;
}

/// Starts the program, silent, and sends it the signal as soon as reached() says so. Its exit code; 128 + n when signal
/// n ended it.
template <class Reached>
int run_until(const std::vector<std::string>& arguments, const Reached& reached, int signal) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::vector<char*> argv = {const_cast<char*>(GLASSFORMER_PROGRAM)};
        for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
        argv.push_back(nullptr);
        const int nothing = open("/dev/null", O_RDWR);
        for (const int stream : {0, 1, 2}) dup2(nothing, stream);
        execv(GLASSFORMER_PROGRAM, argv.data());
        _exit(127);
    }
    int status = 0;
    while (!reached()) {
        REQUIRE(waitpid(child, &status, WNOHANG) == 0);  // it has not ended by itself
        usleep(1000);
    }
    ::kill(child, signal);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace glassformer
