#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/session/run_info.h"
#include "app/session/training_setup.h"
#include "core/io/checkpoint.h"
#include "core/io/glass_file.h"
#include "core/io/run_settings.h"
#include "core/train/task.h"

namespace glassformer::app {

/// A model chosen to be looked at, with the world that it can be trained on.
struct OpenedModel {
    Checkpoint start;                  // without parameters: a fresh model
    std::shared_ptr<const Task> task;  // null if the model cannot be trained here
    std::string world;                 // the task's world, as make_task takes it; for the user's own, its file's name
    bool own_world = false;            // from a file that is not one of the program's worlds
    std::optional<std::string> unit = {};
    std::string why_not_trained;                              // one sentence, if task is null or has no training data
    std::filesystem::path folder;                             // or a .glass file; empty: a fresh model
    std::optional<TrainOptions> options = {};                 // where training differs from the world's proposal
    std::shared_ptr<const LessonBundle> handed_on = nullptr;  // from a .glass file
    std::optional<std::int64_t> saved_step = {};              // newest step saved elsewhere; none: all are saved
    std::optional<SavedView> saved_view = {};                 // what was last on screen with a run
    std::string run_name;                                     // from a run's folder; otherwise empty
    RunOrigin origin = {};                                    // the same
};

/// Returns where a kept run branched off, and what was changed there.
RunOrigin origin_of(const RunSettings& settings);

/// Opens a checkpoint's folder, a .glass file, or a run's folder (read-only: to continue a run, use command::OpenRun).
/// The world is `world` (a name or a file) unless that is empty, otherwise the one that the checkpoint contains,
/// otherwise the one that it names. A checkpoint without a known world can only be looked at. Throws Error if the
/// folder, or the world asked for, cannot be read.
OpenedModel open_checkpoint(const std::filesystem::path& folder, const std::filesystem::path& worlds,
                            const std::string& world = {});

/// Returns a fresh model of a world; `unit` says what the tokens of a text are. Throws Error as make_task() does.
OpenedModel open_world(const std::string& world, const std::filesystem::path& worlds,
                       const std::optional<std::string>& unit = {});
/// Returns a fresh model of that task. `worlds` is the folder of the program's worlds.
OpenedModel fresh_model(std::shared_ptr<const Task> task, const std::string& world, const std::filesystem::path& worlds,
                        const std::optional<std::string>& unit);

/// Returns a fresh model of the set-up's world, built and trained as the set-up says. Throws Error as make_task() does.
OpenedModel fresh_as(const TrainingSetup& setup, const std::filesystem::path& worlds);
/// Makes the model be built and trained as the set-up says.
void begin_as(OpenedModel& opened, const TrainingSetup& setup);

/// Returns the world of a set-up: the one that it carries, otherwise the one that it names. Throws Error as make_task()
/// does.
std::unique_ptr<Task> task_of(const TrainingSetup& setup, const std::filesystem::path& worlds);

}  // namespace glassformer::app
