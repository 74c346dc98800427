#include <thread>

#include "app/session/startup.h"
#include "app/window/offscreen.h"
#include "core/base/error.h"
#include "core/platform/process.h"
#include "tests/bench/drawing.h"

namespace glassformer::app::bench {

namespace {

constexpr int measured_frames = 200, frames_a_view = 100;
constexpr double training_ms = 8000.0;

nlohmann::json idle_frames(App& app, ImGuiHost& host, Surface& surface) {
    Times times;
    for (int i = 0; i < measured_frames; ++i) times.ms.push_back(frame(app, host, surface));
    return summary(times);
}

/// Trains for eight seconds and draws as the window does: one frame per new snapshot.
void training_frames(Session& session, App& app, ImGuiHost& host, Surface& surface, nlohmann::json& result) {
    const std::shared_ptr<const Snapshot> before = session.snapshot();
    std::uint64_t drawn = before->number;
    Times times;
    session.send(command::Train{});
    const Clock::time_point start = Clock::now();
    while (elapsed_ms(start) < training_ms) {
        if (session.snapshot()->number == drawn) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            continue;
        }
        drawn = session.snapshot()->number;
        times.ms.push_back(frame(app, host, surface));
    }
    const double seconds = elapsed_ms(start) / 1e3;
    const std::shared_ptr<const Snapshot> after = session.snapshot();
    session.send(command::Pause{});
    result["build_training"] = summary(times);
    result["steps_per_second_while_drawing"] = static_cast<double>(after->live_step - before->live_step) / seconds;
    result["snapshots_per_second"] = static_cast<double>(after->number - before->number) / seconds;
}

nlohmann::json measure(const std::string& model, int threads) {
    nlohmann::json result;
    const Clock::time_point start = Clock::now();
    const std::unique_ptr<Offscreen> surface = open_offscreen({1600, 1000});
    Session::Options options = session_options(model);
    options.threads = threads;
    Session session(std::move(options));
    ImGuiHost host(*surface, {});
    App app(session);
    frame(app, host, *surface);
    surface->read();
    result["first_frame_ms"] = elapsed_ms(start);
    for (int i = 0; i < 5; ++i) frame(app, host, *surface);
    result["build_idle"] = idle_frames(app, host, *surface);
    result["views"] = view_frames(app, host, *surface, frames_a_view);
    training_frames(session, app, host, *surface, result);
    result["resident_mb"] = platform::resident_memory_mb();
    return result;
}

}  // namespace

nlohmann::json frames(const std::string& model, int threads) {
    try {
        return measure(model, threads);
    } catch (const Error& e) {
        return {{"note", e.what()}};
    }
}

}  // namespace glassformer::app::bench
