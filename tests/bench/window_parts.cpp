#include "tests/bench/window_parts.h"

namespace glassformer::app::bench {

std::vector<Part> window_parts() {
    return {
        {"frames", true, [](const Asked& a) { return frames(a.model, a.threads); }},
        {"large_frames", false, [](const Asked& a) { return large_frames(a.threads); }},
        {"canvas", false, [](const Asked& a) { return canvas_frames(a.threads); }},
        {"beside", true, [](const Asked& a) { return training_beside_window(a.threads); }},
        {"scrubbing", true, [](const Asked& a) { return scrubbing(a.model, a.threads); }},
        {"opened", false, [](const Asked& a) { return opened(a.model, a.threads); }},
        {"induction", true, [](const Asked& a) { return phase_change(a.threads); }},
        {"memory", false, [](const Asked& a) { return flat_memory(a.threads, a.minutes); }},
        {"large", true,
         [](const Asked& a) {
             CpuBackend backend(a.threads);
             return large(backend);
         }},
    };
}

}  // namespace glassformer::app::bench
