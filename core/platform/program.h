#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer::platform {

// Other programs of this machine.

/// The program of that name on $PATH; empty where there is none.
std::filesystem::path find_program(std::string_view name);

/// Runs a program to its end, which may take long: not for the thread of the window. `input` is what it reads. True
/// when it ends with 0; else `stderr_text` is what it wrote as errors (the last of it), or why it could not be started.
/// One that is still running after `most`, or two seconds after end_programs() or a stop signal, is killed with all
/// that it has started. On any number of threads.
bool run_program(const std::vector<std::string>& line, std::string_view input, std::string& stderr_text,
                 std::chrono::seconds most = std::chrono::hours(24));

/// This program ends: those that run_program() began must, too.
void end_programs();

}  // namespace glassformer::platform
