#include "app/session/setup_preview.h"

#include <algorithm>

#include "app/session/model_for_world.h"
#include "app/session/model_size.h"
#include "app/session/opened_model.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/base/seconds_since.h"
#include "core/train/batch_source.h"
#include "core/train/trainer.h"

namespace glassformer::app {

namespace {

double seconds_of_a_step(CpuBackend& backend, const TrainingSetup& setup, const Task& task) {
    Trainer trial(backend, setup.config, task.batches, setup.options);
    trial.step();  // the first step also warms up
    const auto start = std::chrono::steady_clock::now();
    trial.step();
    return seconds_since(start);
}

}  // namespace

SetupPreview preview(CpuBackend& backend, const TrainingSetup& setup, const std::filesystem::path& worlds,
                     bool measure) {
    SetupPreview p;
    p.setup = setup;
    try {
        const std::unique_ptr<Task> task = task_of(setup, worlds);
        p.units = task->units;
        p.training_size = task->batches->size();
        take_from_world(p.setup.config, task->config);
        validate(p.setup.config);
        validate(p.setup.options);
        training_batches(task->batches, p.setup.options);  // throws if the options do not fit
        const auto share = static_cast<double>(p.setup.options.data_share);
        p.trained_on = p.training_size > 0 ? task->batches->part(share)->size() : 0;
        const TransformerGraph built = build_transformer(
            p.setup.config,
            {1, std::min(8, p.setup.config.n_ctx), p.setup.config.family == Family::encoder_decoder ? 8 : 0});
        p.graph = built.graph;
        p.parameter_count = built.graph->parameter_count();
        require_memory_for(p.parameter_count);
        p.metric_name = task->metric_name;
        p.title = task->title;
        if (measure) p.step_seconds = seconds_of_a_step(backend, p.setup, *task);
    } catch (const Error& e) {
        p.refusal = e.what();
    } catch (const std::bad_alloc&) {
        p.refusal = N_("there is not enough memory for a model of this size");
    }
    return p;
}

TrainingSetup proposed_setup(const std::string& world, const std::optional<std::string>& unit,
                             const std::filesystem::path& worlds, const std::shared_ptr<const WorldSource>& source) {
    const std::unique_ptr<Task> task = task_of({world, unit, {}, {}, source}, worlds);
    return {world, unit, task->config, task->options, task->source};
}

}  // namespace glassformer::app
