#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/io/checkpoint.h"
#include "core/io/run_settings.h"
#include "core/train/task.h"

namespace glassformer::app {

/// The model of a checkpoint's folder, of a run's at its newest state, of a .glass file, or one that comes with the
/// program. Throws Error as load_checkpoint, read_run and load_glass do.
Checkpoint open_model(const std::string& model);

/// The world of a run: the one that it carries, or else the one that it names. Throws Error as make_task() does.
std::unique_ptr<Task> task_of_run(const RunSettings& run, const std::filesystem::path& worlds);
/// Throws Error when the world is no longer what it was when the run began: training on with other data would pass for
/// one run and be two.
void require_same_world(const Task& task, const RunSettings& run, const std::string& folder);

}  // namespace glassformer::app
