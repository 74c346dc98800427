#pragma once

#include "core/io/run_folder.h"
#include "tests/core/same_state.h"

namespace glassformer {

// A very small run whose every number follows from its step.

inline RunSettings settings_to_keep() {
    RunSettings s;
    s.name = "try";
    s.world = s.world_name = "homonyms";
    s.metric = {"held-out sense accuracy", true, 0.95};
    s.config.d_vocab = 20;
    s.config.n_ctx = 8;
    s.config.d_model = 8;
    s.config.d_mlp = 16;
    return s;
}

inline TrainingState state_at(std::int64_t step, std::size_t parameters = 2000) {
    const auto number = static_cast<float>(step);
    const auto all = [&](float value) { return std::make_shared<const ParameterValues>(parameters, value); };
    return {step, all(number), {OptimizerKind::adamw, step, all(-number), all(0.5f * number)}};
}

inline RunFolder create_run(const std::filesystem::path& folder) {
    return RunFolder::create(folder, settings_to_keep(), nullptr, nullptr, state_at(0));
}

inline MetricPoint metrics_at(std::int64_t step) {
    MetricPoint p{step, 1.0f / static_cast<float>(step)};
    p.gradient_norm = 0.25f;
    return p;
}

/// Creates a run of 20 steps with a state at every tenth.
inline RunFolder twenty_steps(const std::filesystem::path& folder) {
    RunFolder run = create_run(folder);
    for (std::int64_t step = 1; step <= 20; ++step) {
        run.append(metrics_at(step));
        if (step % 10 == 0) run.save_state(state_at(step));
    }
    return run;
}

}  // namespace glassformer
