#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace glassformer {

/// Runs the program in a shell with `before` in front of the command, e.g. "ulimit -f 400; ".
Ran run_after(const std::string& before, const std::vector<std::string>& arguments);

/// Starts the program, discarding its output, and sends it the signal once reached() returns true. Returns its exit
/// code; 128 + n if signal n ended it.
int run_until(const std::vector<std::string>& arguments, const std::function<bool()>& reached, int signal);

}  // namespace glassformer
