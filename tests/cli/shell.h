#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace glassformer {

/// Runs the program in a shell, with that put in front ("ulimit -f 400; ").
Ran run_after(const std::string& before, const std::vector<std::string>& arguments);

/// Starts the program, silent, and sends it the signal as soon as reached() says so. Its exit code; 128 + n when signal
/// n ended it.
int run_until(const std::vector<std::string>& arguments, const std::function<bool()>& reached, int signal);

}  // namespace glassformer
