#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/io/checkpoint.h"
#include "core/io/run_settings.h"
#include "core/train/task.h"

namespace glassformer::app {

/// Opens a model: a checkpoint's folder, the newest state of a run's folder, a .glass file, or a model included with
/// the program. Throws Error like load_checkpoint, read_run and load_glass.
Checkpoint open_model(const std::string& model);

/// Returns the world of a run: the one stored in the run, otherwise the one that it names. Throws Error like
/// make_task().
std::unique_ptr<Task> task_of_run(const RunSettings& run, const std::filesystem::path& worlds);
/// Throws Error if the world has changed since the run began: continuing with other data would look like one run and be
/// two.
void require_same_world(const Task& task, const RunSettings& run, const std::string& folder);

}  // namespace glassformer::app
