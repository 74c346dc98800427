#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "app/window/offscreen.h"
#include "tests/bench/drawing.h"

namespace glassformer::app::bench {

/// The window with a session behind it, offscreen, as the program opens it at 1600 × 1000.
class WindowSession {
public:
    /// How much of a frame is made: laid out alone, which is what the processor has to do where a graphics card draws,
    /// or drawn as well, here by whatever OpenGL there is.
    enum class Frames { built, drawn };

    explicit WindowSession(Session::Options options);

    Session& session() { return session_; }
    App& app() { return app_; }
    /// `input`: keys and the mouse, as app/ui/input.h scripts them.
    void frame(Frames how, const std::function<void()>& input = {});
    /// What the last frame shows.
    const Items& items() const { return host_.items(); }
    /// A frame for each new snapshot, as the window does, until `done` says so of the newest.
    void draw_until(Frames how, const std::function<bool(const Snapshot&)>& done);
    /// Frames until everything that was sent is on screen.
    void settle(Frames how);
    /// Who draws: "llvmpipe (LLVM 15.0.6, 256 bits)".
    std::string renderer() const;

private:
    /// With a call that wakes draw_until(), as the window is woken.
    Session::Options waking(Session::Options options);

    std::atomic<bool> published_{false};  // since a frame was made
    std::unique_ptr<Offscreen> surface_;
    Session session_;
    ImGuiHost host_;
    App app_;
};

}  // namespace glassformer::app::bench
