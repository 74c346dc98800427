#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/language/tr.h"
#include "app/panels/runs/run_panel.h"

namespace glassformer::app {

std::string_view nothing_happened(const Frame& frame) {
    return frame.snapshot.live_step == 0 ? tr("Nothing yet. Events appear while the model trains.")
           : frame.snapshot.model->config.recurrent()
               ? tr("Nothing yet. An event is for example a jump of the loss.")
               : tr("Nothing yet. An event is for example a head that forms, or a jump of the loss.");
}

std::string_view missing_from_log(const Frame& frame) {
    const RunInfo* run = frame.snapshot.current_run();
    const ModelInfo& model = *frame.snapshot.model;
    if (!run || !run->events || model.folder.empty() || model.config.recurrent()) return {};
    const bool heads =
        std::ranges::any_of(*run->events, [](const TrainingEvent& event) { return event.kind == EventKind::head; });
    return heads ? std::string_view()
                 : tr("When its heads formed is not in the log that came with this model. Press "
                      "Reset and train, and they appear here.");
}

std::string run_name(const Snapshot& snapshot, int id) {
    for (const auto& info : snapshot.runs)
        if (info->id == id) return info->name;
    return tr("a deleted run");
}

}  // namespace glassformer::app
