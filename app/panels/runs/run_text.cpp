#include <cfloat>
#include <cmath>

#include "app/language/tr.h"
#include "app/panels/runs/run_panel.h"

namespace glassformer::app {

std::string_view nothing_happened(const Frame& frame) {
    return frame.snapshot.live_step == 0
               ? tr("Nothing yet. Events appear while the model trains.")
               : tr("Nothing yet. An event is for example a head that forms, or a jump of the loss.");
}

std::string run_name(const Snapshot& snapshot, int id) {
    for (const auto& info : snapshot.runs)
        if (info->id == id) return info->name;
    return tr("a deleted run");
}

}  // namespace glassformer::app
