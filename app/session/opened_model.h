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

/// A model that was chosen to be looked at, with the world that it can be trained on.
struct OpenedModel {
    Checkpoint start;                  // without parameters: a fresh model
    std::shared_ptr<const Task> task;  // null where the model cannot be trained here
    std::string world;                 // that task, as make_task takes it; of one's own, its file's name
    bool own_world = false;            // of a file that is none of the program's worlds
    std::optional<std::string> unit = {};
    std::string why_not_trained;               // one sentence, where task is null or has nothing to train on
    std::filesystem::path folder;              // or a .glass file; empty: a fresh model
    std::optional<TrainOptions> options = {};  // where it is not trained as the world proposes
    std::shared_ptr<const LessonBundle> handed_on = nullptr;  // of a .glass file
    std::optional<SavedView> saved_view = {};                 // on screen with a run last
    std::string run_name;                                     // of a run's folder; else empty
    RunOrigin origin = {};                                    // the same
};

/// Where a kept run branched off, and what was changed in it.
RunOrigin origin_of(const RunSettings& settings);

/// A checkpoint's folder, a .glass file, or a run's folder (which is only read: to go on with it, there is
/// command::OpenRun). `world` (a name
/// or a file) goes before the one that the checkpoint names, where it is not empty, and the world that it carries
/// before the name. A checkpoint without a known world can be looked at only. Throws Error when the folder, or the
/// world that was asked for, cannot be read.
OpenedModel open_checkpoint(const std::filesystem::path& folder, const std::filesystem::path& worlds,
                            const std::string& world = {});

/// A fresh model of a world; `unit` says what the tokens of a text are. Throws Error as make_task() does.
OpenedModel open_world(const std::string& world, const std::filesystem::path& worlds,
                       const std::optional<std::string>& unit = {});
/// A fresh model of that task. `worlds` holds those of the program.
OpenedModel fresh_model(std::shared_ptr<const Task> task, const std::string& world, const std::filesystem::path& worlds,
                        const std::optional<std::string>& unit);

/// A fresh model as it is set up, of the set-up's own world. Throws Error as make_task() does.
OpenedModel fresh_as(const TrainingSetup& setup, const std::filesystem::path& worlds);
/// That model is built and trained so from now on.
void begin_as(OpenedModel& opened, const TrainingSetup& setup);

/// The world of a set-up: the one that it carries, or else the one that it names. Throws Error as make_task() does.
std::unique_ptr<Task> task_of(const TrainingSetup& setup, const std::filesystem::path& worlds);

}  // namespace glassformer::app
