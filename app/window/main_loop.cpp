#include "app/window/main_loop.h"

namespace glassformer::app {

int run_main_loop(std::function<std::optional<int>()> turn) {
    for (;;)
        if (const std::optional<int> code = turn()) return *code;
}

}  // namespace glassformer::app
