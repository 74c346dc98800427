#include "app/session/setup_preview.h"

#include <algorithm>
#include <chrono>

#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/tasks/tasks.h"
#include "core/train/trainer.h"

namespace glassformer::app {

namespace {

using Clock = std::chrono::steady_clock;

/// What the world decides, whatever was asked for.
void take_from_world(TransformerConfig& config, const TransformerConfig& world) {
    config.d_vocab = world.d_vocab;
    config.n_ctx = std::max(config.n_ctx, world.n_ctx);
    config.input = world.input;
    config.d_input = world.d_input;
    config.output = world.output;
    config.d_output = world.d_output;
    config.d_source_vocab = world.d_source_vocab;
}

/// An encoder that saw the words it is to say would have nothing to learn, and a translation needs its two sides.
void require_same_reading(const TransformerConfig& config, const TransformerConfig& world) {
    const bool causal = config.causal() || config.recurrent();
    if ((config.family == Family::encoder_decoder) != (world.family == Family::encoder_decoder))
        throw Error(world.family == Family::encoder_decoder
                        ? tr("this world translates, which takes an encoder–decoder")
                        : tr("only a world that translates takes an encoder–decoder"));
    if (world.causal() && !causal)
        throw Error(
            tr("this world asks for the next word, which a model that reads ahead would simply copy: choose a ") +
            std::string(tr("decoder or a recurrent network")));
}

double seconds_of_a_step(CpuBackend& backend, const TrainingSetup& setup, const Task& task) {
    Trainer trial(backend, setup.config, task.batches(), setup.options);
    trial.step();  // the first one also warms up
    const Clock::time_point start = Clock::now();
    trial.step();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

SetupPreview preview(CpuBackend& backend, const TrainingSetup& setup, const std::filesystem::path& worlds,
                     bool measure) {
    SetupPreview p;
    p.setup = setup;
    try {
        const std::unique_ptr<Task> task = make_task(setup.world, worlds, {setup.unit});
        take_from_world(p.setup.config, task->config());
        require_same_reading(p.setup.config, task->config());
        validate(p.setup.config);
        validate(p.setup.options);
        const TransformerGraph built = build_transformer(
            p.setup.config,
            {1, std::min(8, p.setup.config.n_ctx), p.setup.config.family == Family::encoder_decoder ? 8 : 0});
        p.graph = built.graph;
        p.parameter_count = built.graph->parameter_count();
        p.metric_name = task->metric_name();
        p.title = task->title();
        p.units = task->units();
        if (measure) p.step_seconds = seconds_of_a_step(backend, p.setup, *task);
    } catch (const Error& e) {
        p.refusal = e.what();
    } catch (const std::bad_alloc&) {
        p.refusal = tr("there is not enough memory for a model of this size");
    }
    return p;
}

TrainingSetup proposed_setup(const std::string& world, const std::optional<std::string>& unit,
                             const std::filesystem::path& worlds) {
    const std::unique_ptr<Task> task = make_task(world, worlds, {unit});
    return {world, unit, task->config(), task->options()};
}

}  // namespace glassformer::app
