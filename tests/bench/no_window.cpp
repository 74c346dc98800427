// Replaces window_parts.cpp in a build without the window.
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

std::vector<Part> window_parts() { return {}; }
nlohmann::json heat_maps(GlBackend&) { return {{"note", "this build has no window and draws no pictures"}}; }

}  // namespace glassformer::app::bench
