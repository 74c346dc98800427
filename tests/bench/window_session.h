#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "app/window/offscreen.h"
#include "tests/bench/drawing.h"

namespace glassformer::app::bench {

/// The window with its session, offscreen, as the program opens it at 1600 × 1000.
class WindowSession {
public:
    /// How much of a frame is made: only its layout, which is the CPU's share where a graphics card draws, or its
    /// drawing as well, here by whatever OpenGL there is.
    enum class Frames { built, drawn };

    explicit WindowSession(Session::Options options);

    Session& session() { return session_; }
    App& app() { return app_; }
    /// `input` scripts keys and the mouse with app/ui/input.h.
    void frame(Frames how, const std::function<void()>& input = {});
    /// The items of the last frame.
    const Items& items() const { return host_.items(); }
    /// Makes a frame for each new snapshot, as the window does, until `done` returns true for the newest.
    void draw_until(Frames how, const std::function<bool(const Snapshot&)>& done);
    /// Makes frames until everything that was sent is on screen.
    void settle(Frames how);
    /// The OpenGL renderer, e.g. "llvmpipe (LLVM 15.0.6, 256 bits)".
    std::string renderer() const;

private:
    /// Adds a callback that wakes draw_until(), as it wakes the real window.
    Session::Options waking(Session::Options options);

    std::atomic<bool> published_{false};  // since the last frame
    std::unique_ptr<Offscreen> surface_;
    Session session_;
    ImGuiHost host_;
    App app_;
};

}  // namespace glassformer::app::bench
