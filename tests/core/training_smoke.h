#pragma once

#include "core/train/task.h"
#include "core/train/trainer.h"

namespace glassformer {

/// The outcome of a short training of a task.
struct SmokeRun {
    float first_loss = 0.0f, last_loss = 0.0f;
    Measurement before, after;
};

inline SmokeRun train_briefly(const Task& task, int steps) {
    CpuBackend backend(2);
    Trainer trainer(backend, task.config, task.batches, task.options);
    const std::unique_ptr<Metric> metric = task.metric(backend);
    SmokeRun run;
    run.before = metric->measure(trainer.parameters());
    for (int i = 0; i < steps; ++i) {
        run.last_loss = trainer.step().loss;
        if (i == 0) run.first_loss = run.last_loss;
    }
    run.after = metric->measure(trainer.parameters());
    return run;
}

/// Measures a model whose parameters are all 0, so that every output is 0.
inline Measurement measure_zeros(const Task& task) {
    CpuBackend backend(2);
    const Trainer trainer(backend, task.config, task.batches, task.options);
    const std::vector<float> zeros(trainer.parameters().size());
    return task.metric(backend)->measure(zeros);
}

/// Returns the figure of that name; fails the test if there is none.
inline double detail(const Measurement& measurement, const std::string& name) {
    for (const auto& [known, value] : measurement.details)
        if (known == name) return value;
    FAIL("the measurement has no figure \"" << name << "\"");
    return 0.0;
}

}  // namespace glassformer
