#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/context/shared_context.h"

namespace glassformer::app {

class Items;

/// A size in real pixels.
struct PixelSize {
    int width = 0;
    int height = 0;
};

/// A place on the desktop, as the desktop counts.
struct ScreenPlace {
    int x = 0, y = 0;
    bool operator==(const ScreenPlace&) const = default;
};

/// Something to draw on: a window on a screen, or an offscreen picture. ImGuiHost works on either.
class Surface {
public:
    virtual ~Surface() = default;

    virtual void make_current() = 0;
    virtual PixelSize size() const = 0;       ///< in real pixels
    virtual float content_scale() const = 0;  ///< 1, or more on a HiDPI screen
    virtual int gl_version() const = 0;       ///< 43 for OpenGL 4.3; compute shaders need 43

    /// Connects ImGui's current context to this surface's input; detach before the context is destroyed.
    virtual void attach_imgui() = 0;
    virtual void detach_imgui() = 0;
    /// What is on it in the last frame, for those who look from outside the program: a browser's tests.
    virtual void shows(const Items&) {}
    /// Before ImGui::NewFrame: display size, time step and input into ImGui's io.
    virtual void new_imgui_frame() = 0;

    virtual void bind_target() = 0;  ///< binds the frame buffer to draw into and sets the viewport
    virtual void present() = 0;      ///< shows what was drawn

    /// Waits for something to happen unless `moving` (then it only polls). Returns true when a frame should be drawn.
    virtual bool wait_for_events(bool moving) = 0;
    /// Wakes wait_for_events(); may be called from any thread.
    virtual void request_redraw() = 0;
    /// The same for a single frame, without those in which ImGui settles after a change: another request follows soon.
    virtual void request_frame() { request_redraw(); }
    virtual bool should_close() const = 0;
    virtual void cancel_close() = 0;
    /// For where the program is closed without should_close(): whether something would be lost. A page then asks.
    virtual void ask_before_close(bool) {}
    /// Why settings, progress and trainings are not kept (any more); empty where they are.
    virtual std::string keeps_nothing() const { return {}; }
    /// The page's address; empty where the program is none.
    virtual std::string address() const { return {}; }
    /// Over the whole screen that the window is on, or as it was before; nothing where there is no screen.
    virtual void set_full_screen(bool) {}

    /// Whether there is another screen for a lecturer, beside the audience's.
    virtual bool second_screen() const { return false; }
    /// A window on the lecturer's screen, which shares the objects of OpenGL; keys typed in it are typed in this one.
    /// It must end before this surface. Null where there is no second screen. From then on full screen is the
    /// audience's.
    virtual std::unique_ptr<Surface> open_beside() { return nullptr; }
    /// Lecturer and audience change their screens.
    virtual void swap_screens() {}
    /// Whether it has the keyboard.
    virtual bool focused() const { return false; }
    /// Of the window beside: from now on keys typed in it stay in it, or are typed in the other one.
    virtual void keep_keys(bool) {}

    /// Files and folders that were dropped on the window since the last call, and links (common/links.h).
    virtual std::vector<std::string> take_dropped() { return {}; }
    /// Where the window's content begins, as the desktop counts; empty where the system does not tell.
    virtual std::optional<ScreenPlace> place() const { return std::nullopt; }

    virtual std::unique_ptr<SharedContext> create_shared_context() = 0;
    /// Whether it is a picture, which shows everything in its first frame.
    virtual bool offscreen() const { return false; }
};

/// How a window opens; sizes are those that the desktop counts in.
struct WindowOptions {
    std::string title = "Glassformer";
    int width = 1600;
    int height = 1000;
    std::optional<ScreenPlace> place;  // used where a screen is there
};

/// Opens a real window with OpenGL 4.3 core, or 3.3 where that is all there is; in a browser the page, with WebGL 2.
/// Throws Error when there is no display or no OpenGL. One at a time; main thread only (except request_redraw).
std::unique_ptr<Surface> open_window(const WindowOptions& options = {});

}  // namespace glassformer::app
