#pragma once

#include <memory>

#include "app/session/meaning.h"
#include "app/session/opened_model.h"
#include "app/session/watched_runs.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/train/trainer.h"

namespace glassformer::app {

/// What a world of senses is examined with.
struct SenseStudy {
    SenseStudy(Backend& backend, const std::filesystem::path& grammar, const TransformerConfig& config);

    WorldTraining training;
    SenseProbe probe;
    MeaningMaps maps;
};

/// What the window needs to know of a model. Throws Error when its world's grammar cannot be read.
std::shared_ptr<const ModelInfo> model_info(const OpenedModel& opened, const std::filesystem::path& worlds,
                                            const std::string& backend);

/// The model that the session shows, with everything that belongs to it. Replaced whole when another one is opened;
/// what snapshots hold of it lives on.
struct ModelAtWork {
    ModelAtWork(CpuBackend& backend, const OpenedModel& opened, const std::filesystem::path& worlds);

    /// Parameters of the newest step.
    std::span<const float> parameters() const;
    std::int64_t steps() const { return trainer ? trainer->steps() : start.step; }

    Checkpoint start;
    std::shared_ptr<const Task> task;    // null: looking only
    std::unique_ptr<SenseStudy> senses;  // worlds of senses only
    std::unique_ptr<Metric> metric;      // of other worlds; null where the model is built otherwise than theirs
    std::shared_ptr<const ModelInfo> info;
    std::unique_ptr<Trainer> trainer;  // null: looking only
    Sentences sentences;
    WatchedRuns runs{sentences};
    std::int64_t planned_steps = 0;
};

}  // namespace glassformer::app
