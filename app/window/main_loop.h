#pragma once

#include <functional>
#include <optional>

namespace glassformer::app {

/// Calls `turn` repeatedly until it returns the program's exit code. In a browser this returns 0 at once: there each
/// frame of the page calls `turn`, followed by the tasks that have no threads.
int run_main_loop(std::function<std::optional<int>()> turn);

}  // namespace glassformer::app
