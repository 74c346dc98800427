#include "tests/bench/window_session.h"

#include <epoxy/gl.h>

#include <thread>

#include "app/context/software_renderer.h"
#include "app/window/frame_pace.h"
#include "core/base/seconds_since.h"

namespace glassformer::app::bench {

Session::Options WindowSession::waking(Session::Options options) {
    options.on_snapshot = [this] {
        published_ = true;
        published_.notify_one();
    };
    return options;
}

WindowSession::WindowSession(Session::Options options)
    : surface_(open_offscreen({1600, 1000})),
      session_(waking(std::move(options))),
      host_(*surface_, {}),
      app_(session_) {
    host_.draw_as_window(draws_in_software());
    for (int i = 0; i < 3; ++i) frame(Frames::drawn);
    settle(Frames::built);
}

void WindowSession::frame(Frames how, const std::function<void()>& input) {
    if (how == Frames::drawn) {
        bench::frame(app_, host_, *surface_, input);
        return;
    }
    host_.begin_frame(input);
    app_.draw(host_);
    ImGui::End();
    ImGui::Render();
}

void WindowSession::draw_until(Frames how, const std::function<bool(const Snapshot&)>& done) {
    std::uint64_t drawn = session_.snapshot()->number;
    FramePace pace;
    const auto now = [start = std::chrono::steady_clock::now()] { return seconds_since(start); };
    while (true) {
        published_.wait(false);
        std::this_thread::sleep_for(std::chrono::duration<double>(pace.wait(now())));
        published_ = false;
        const std::shared_ptr<const Snapshot> newest = session_.snapshot();
        if (newest->number == drawn) continue;
        drawn = newest->number;
        pace.begin(now());
        frame(how);
        pace.end(now());
        if (done(*newest)) return;
    }
}

void WindowSession::settle(Frames how) {
    do {
        while (!session_.settled()) std::this_thread::sleep_for(std::chrono::microseconds(200));
        frame(how);
    } while (!session_.settled() || app_.state().more_to_compute);
}

std::string WindowSession::renderer() const {
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return name ? name : "unknown";
}

}  // namespace glassformer::app::bench
