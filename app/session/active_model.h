#pragma once

#include <memory>

#include "app/session/meaning.h"
#include "app/session/opened_model.h"
#include "app/session/watched_runs.h"
#include "core/analysis/altered_backend.h"
#include "core/analysis/head_scores.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/train/fixed_batch.h"

namespace glassformer::app {

/// What a world of senses is examined with.
struct SenseStudy {
    SenseStudy(Backend& backend, const World& world, const TransformerConfig& config);

    WorldTraining training;
    SenseProbe probe;
    MeaningMaps maps;
};

/// What a model is measured with, as it is or altered.
struct Instruments {
    Instruments(Backend& backend, const Task* task, const TransformerConfig& config);

    std::unique_ptr<SenseStudy> senses;  // worlds of senses only
    std::unique_ptr<Metric> metric;      // of other worlds; null where it cannot be had of such a model
};

/// A model with the changes that are made in it, to be measured.
struct MeasuredAltered {
    MeasuredAltered(Backend& plain, const Task* task, const TransformerConfig& config, std::span<const WhatIf> changes)
        : backend(plain, config, changes), instruments(backend, task, backend.config()) {}

    AlteredBackend backend;
    Instruments instruments;
};

/// What the window needs to know of a model.
std::shared_ptr<const ModelInfo> model_info(const OpenedModel& opened, const std::string& backend);

/// The model that the session shows, with everything that belongs to it. Replaced whole when another one is opened;
/// what snapshots hold of it lives on.
struct ActiveModel {
    ActiveModel(CpuBackend& backend, const OpenedModel& opened);

    /// The training's loss on sentences that it never sees; −1 where there is no world.
    float held_out_loss(const std::vector<float>& parameters);
    /// What its heads are known for; none where that cannot be measured.
    std::vector<HeadScore> head_scores(const std::vector<float>& parameters);

    /// The model with these changes; the last ones are kept.
    MeasuredAltered& altered(std::span<const WhatIf> changes);

    Checkpoint start;
    std::shared_ptr<const Task> task;  // null: looking only
    Instruments instruments;
    std::shared_ptr<const ModelInfo> info;
    Sentences sentences;
    WatchedRuns runs{sentences};
    std::int64_t planned_steps = 0;
    std::shared_ptr<const LessonBundle> handed_on;  // what came with it in a .glass file; else null

private:
    Backend& backend_;
    std::unique_ptr<HeldOutLoss> held_out_;
    std::unique_ptr<HeadScoreProbe> heads_;
    std::unique_ptr<MeasuredAltered> altered_;
    bool heads_looked_for_ = false;
};

}  // namespace glassformer::app
