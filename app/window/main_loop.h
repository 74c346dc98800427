#pragma once

#include <functional>
#include <optional>

namespace glassformer::app {

/// Takes turns of the window's loop until one of them gives the program's exit code. In a browser this returns 0 at
/// once: there each frame of the page takes a turn, and then the tasks that have no threads take theirs.
int run_main_loop(std::function<std::optional<int>()> turn);

}  // namespace glassformer::app
