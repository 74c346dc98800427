#include "app/panels/runs/run_panel.h"

namespace glassformer::app {

std::string_view nothing_happened(const Frame& frame) {
    return frame.snapshot.live_step == 0
               ? "Nothing yet: this fills as the model trains."
               : "Nothing yet: a level of the metric that is passed, a head that forms, a jump of the loss.";
}

std::string run_name(const Snapshot& snapshot, int id) {
    for (const auto& info : snapshot.runs)
        if (info->id == id) return info->name;
    return "a deleted run";
}

}  // namespace glassformer::app
