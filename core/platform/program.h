#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer::platform {

// Running other programs.

/// The program of that name on $PATH; empty if there is none.
std::filesystem::path find_program(std::string_view name);

/// Runs a program to completion, which may take long: do not call this on the window's thread. `input` is its standard
/// input. Returns true if it exits with 0; otherwise `stderr_text` has the last of its standard error, or the reason it
/// could not start. A program still running after `most`, or two seconds after end_programs() or a stop signal, is
/// killed with all its children. Thread-safe.
bool run_program(const std::vector<std::string>& line, std::string_view input, std::string& stderr_text,
                 std::chrono::seconds most = std::chrono::hours(24));

/// Call this when this program ends: programs started by run_program() must end, too.
void end_programs();

}  // namespace glassformer::platform
