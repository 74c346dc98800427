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

/// Everything needed to examine a model in a world of senses.
struct SenseStudy {
    SenseStudy(Backend& backend, const World& world, const TransformerConfig& config);

    WorldTraining training;
    SenseProbe probe;
    MeaningMaps maps;
};

/// The instruments that measure a model, altered or not.
struct Instruments {
    Instruments(Backend& backend, const Task* task, const TransformerConfig& config);

    std::unique_ptr<SenseStudy> senses;  // worlds of senses only
    std::unique_ptr<Metric> metric;      // other worlds; null if the metric cannot be measured on such a model
};

/// A model with the user's changes applied, ready to be measured.
struct MeasuredAltered {
    MeasuredAltered(Backend& plain, const Task* task, const TransformerConfig& config, std::span<const WhatIf> changes)
        : backend(plain, config, changes), instruments(backend, task, backend.config()) {}

    AlteredBackend backend;
    Instruments instruments;
};

/// Returns what the window needs to know about a model.
std::shared_ptr<const ModelInfo> model_info(const OpenedModel& opened, const std::string& backend);

/// The model that the session shows, with everything that belongs to it. Replaced as a whole when another model is
/// opened; parts held by snapshots live on.
struct ActiveModel {
    ActiveModel(CpuBackend& backend, const OpenedModel& opened);

    /// Returns the training loss on held-out sentences, −1 without a world.
    float held_out_loss(const std::vector<float>& parameters);
    /// Returns the scores of the heads for the roles they are known for; empty if these cannot be measured.
    std::vector<HeadScore> head_scores(const std::vector<float>& parameters);

    /// Returns the model with these changes applied. The last one made is cached.
    MeasuredAltered& altered(std::span<const WhatIf> changes);

    Checkpoint start;
    std::shared_ptr<const Task> task;  // null if the model can only be looked at
    Instruments instruments;
    std::shared_ptr<const ModelInfo> info;
    Sentences sentences;
    WatchedRuns runs{sentences};
    std::int64_t planned_steps = 0;
    std::shared_ptr<const LessonBundle> handed_on;  // from its .glass file; null if none

private:
    Backend& backend_;
    std::unique_ptr<HeldOutLoss> held_out_;
    std::unique_ptr<HeadScoreProbe> heads_;
    std::unique_ptr<MeasuredAltered> altered_;
    bool heads_looked_for_ = false;
};

}  // namespace glassformer::app
