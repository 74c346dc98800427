// The same training with and without the window, in turns.
#include "app/assets/assets.h"
#include "app/session/opened_model.h"
#include "core/base/error.h"
#include "core/tasks/tasks.h"
#include "core/train/trainer.h"
#include "tests/bench/window_session.h"

namespace glassformer::app::bench {

namespace {

using Frames = WindowSession::Frames;

constexpr double turn_seconds = 3.0;
constexpr int turns = 5;
constexpr const char* world = "homonyms";

/// Steps per second of a trainer alone, as in `glassformer train`.
double alone(Trainer& trainer) {
    const Clock::time_point start = Clock::now();
    const std::int64_t first = trainer.steps();
    while (elapsed_ms(start) < 1e3 * turn_seconds) trainer.step();
    return static_cast<double>(trainer.steps() - first) / elapsed_ms(start) * 1e3;
}

/// Steps per second in the session while each snapshot gets a frame.
double beside(WindowSession& window, Frames how) {
    window.session().send(command::Train{});
    std::int64_t first = -1;
    Clock::time_point start;
    double rate = 0.0;
    window.draw_until(how, [&](const Snapshot& s) {
        if (s.state != RunState::training) return false;
        if (first < 0) {
            first = s.live_step;
            start = Clock::now();
            return false;
        }
        rate = static_cast<double>(s.live_step - first) / elapsed_ms(start) * 1e3;
        return elapsed_ms(start) >= 1e3 * turn_seconds;
    });
    window.session().send(command::Pause{});
    window.settle(Frames::built);
    return rate;
}

nlohmann::json measure_beside(int threads) {
    Session::Options options;
    options.world = world;
    options.assets = assets_folder();
    options.threads = threads;
    WindowSession window(std::move(options));
    const TrainingSetup setup = window.session().snapshot()->current_run()->setup;
    CpuBackend backend(threads);
    const std::unique_ptr<Task> task = task_of(setup, assets_folder() / "worlds");
    Trainer trainer(backend, setup.config, task->batches, setup.options);
    for (int i = 0; i < 20; ++i) trainer.step();
    Times headless, built, drawn;  // rates, not times
    Times built_share, drawn_share;
    for (int i = 0; i < turns; ++i) {
        headless.ms.push_back(alone(trainer));
        built.ms.push_back(beside(window, Frames::built));
        drawn.ms.push_back(beside(window, Frames::drawn));
        built_share.ms.push_back(built.ms.back() / headless.ms.back());
        drawn_share.ms.push_back(drawn.ms.back() / headless.ms.back());
    }
    return {{"world", world},
            {"headless_steps_per_second", headless.median()},
            {"built_steps_per_second", built.median()},
            {"drawn_steps_per_second", drawn.median()},
            {"built_share", built_share.median()},
            {"drawn_share", drawn_share.median()},
            {"renderer", window.renderer()}};
}

}  // namespace

nlohmann::json training_beside_window(int threads) {
    try {
        return measure_beside(threads);
    } catch (const Error& e) {
        return {{"note", e.what()}};
    }
}

}  // namespace glassformer::app::bench
