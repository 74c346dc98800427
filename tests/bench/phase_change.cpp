// The world induction in the window: how long until the flags of its phase change appear on the timeline.
#include <algorithm>

#include "app/assets/assets.h"
#include "core/base/error.h"
#include "tests/bench/window_session.h"

namespace glassformer::app::bench {

namespace {

constexpr double patience_ms = 120e3;

/// The first event of this kind: a head that copies, or the metric passing a threshold.
const TrainingEvent* first_flag(const Snapshot& s, EventKind kind) {
    const RunInfo* run = s.current_run();
    if (!run) return nullptr;
    const auto found = std::ranges::find(*run->events, kind, &TrainingEvent::kind);
    return found == run->events->end() ? nullptr : &*found;
}

nlohmann::json measure_phase_change(int threads) {
    Session::Options options;
    options.world = "induction";
    options.assets = assets_folder();
    options.threads = threads;
    WindowSession window(std::move(options));
    nlohmann::json result{{"renderer", window.renderer()}};
    const Clock::time_point start = Clock::now();
    window.session().send(command::Train{});
    window.draw_until(WindowSession::Frames::drawn, [&](const Snapshot& s) {
        for (const auto& [kind, name] : {std::pair{EventKind::head, "head"}, std::pair{EventKind::metric, "metric"}})
            if (const TrainingEvent* flag = first_flag(s, kind); flag && !result.contains(name))
                result[name] = {{"seconds", elapsed_ms(start) / 1e3}, {"step", flag->step}, {"text", flag->text}};
        return (result.contains("head") && result.contains("metric")) || elapsed_ms(start) > patience_ms;
    });
    window.session().send(command::Pause{});
    return result;
}

}  // namespace

nlohmann::json phase_change(int threads) {
    try {
        return measure_phase_change(threads);
    } catch (const Error& e) {
        return {{"note", e.what()}};
    }
}

}  // namespace glassformer::app::bench
