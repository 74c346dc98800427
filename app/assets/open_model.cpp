#include "app/assets/open_model.h"

#include "app/assets/assets.h"
#include "core/base/error.h"
#include "core/io/glass_file.h"
#include "core/io/run_folder.h"
#include "core/tasks/tasks.h"

namespace glassformer::app {

Checkpoint open_model(const std::string& model) {
    const std::string folder = model_folder(model);
    if (is_glass_file(folder)) return load_glass(folder).model;
    return is_run_folder(folder) ? checkpoint_of(read_run(folder)) : load_checkpoint(folder);
}

std::unique_ptr<Task> task_of_run(const RunSettings& run, const std::filesystem::path& worlds) {
    if (run.source) return make_task(*run.source, nullptr, {run.unit});
    return make_task(run.world, worlds, {run.unit});
}

void require_same_world(const Task& task, const RunSettings& run, const std::string& folder) {
    if (data_mark_of(*task.batches, run.options) == run.data_mark) return;
    throw Error(
        "the world {1} has changed since the run in {2} began, so the run cannot continue; restore its file, or start "
        "a "
        "new run",
        run.world, folder);
}

}  // namespace glassformer::app
