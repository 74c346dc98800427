// From the choice of a kept step to the frame that shows it in every panel.
#include "app/session/startup.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/bench/window_session.h"

namespace glassformer::app::bench {

namespace {

using Frames = WindowSession::Frames;

constexpr int choices = 60;

nlohmann::json figures(const Times& times) { return {{"median_ms", times.median()}, {"p99_ms", times.quantile(0.99)}}; }

/// Travels to these steps; a step counts as shown once its frame is finished.
Times travel(WindowSession& window, Frames how, const std::vector<std::int64_t>& steps) {
    Times times;
    for (const std::int64_t step : steps) {
        if (step == window.app().shown().step) continue;
        const Clock::time_point start = Clock::now();
        window.session().send(command::LookAt{step});
        window.settle(how);
        if (window.app().shown().step == step) times.ms.push_back(elapsed_ms(start));
    }
    return times;
}

nlohmann::json measure(const std::string& model, int threads) {
    Session::Options options = session_options(model);
    options.threads = threads;
    WindowSession window(std::move(options));
    if (window.session().snapshot()->kept_steps.size() < 2)
        return {{"note", "this model has no steps of its training to travel to"}};
    nlohmann::json result{{"kept_steps", window.session().snapshot()->kept_steps.size()},
                          {"renderer", window.renderer()}};
    const std::vector<std::int64_t> kept = window.session().snapshot()->kept_steps;
    result["drawn_first"] = figures(travel(window, Frames::drawn, kept));  // later visits find its measurements cached
    Rng rng(7);
    std::vector<std::int64_t> anywhere(choices);
    for (std::int64_t& step : anywhere) step = kept[rng.below(kept.size())];
    result["built"] = figures(travel(window, Frames::built, anywhere));
    result["drawn"] = figures(travel(window, Frames::drawn, anywhere));
    window.session().send(command::Train{});
    window.draw_until(Frames::built, [](const Snapshot& s) { return s.state == RunState::training; });
    result["built_while_training"] = figures(travel(window, Frames::built, anywhere));
    window.session().send(command::Pause{});
    return result;
}

}  // namespace

nlohmann::json scrubbing(const std::string& model, int threads) {
    try {
        return measure(model, threads);
    } catch (const Error& e) {
        return {{"note", e.what()}};
    }
}

}  // namespace glassformer::app::bench
