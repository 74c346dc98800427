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

/// A position on the desktop, in the desktop's units.
struct ScreenPlace {
    int x = 0, y = 0;
    bool operator==(const ScreenPlace&) const = default;
};

/// Something to draw on: a window or an offscreen picture. ImGuiHost works with either.
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
    /// Gives the surface access to the last frame's items: a page finds what a finger meant, and tests what is shown.
    virtual void shows(Items&) {}
    /// Call this before ImGui::NewFrame: writes display size, time step and input to ImGui's io.
    virtual void new_imgui_frame() = 0;

    virtual void bind_target() = 0;  ///< binds the framebuffer to draw into and sets the viewport
    virtual void present() = 0;      ///< shows what was drawn

    /// Waits for an event unless `moving` (then it only polls). Returns true if a frame should be drawn.
    virtual bool wait_for_events(bool moving) = 0;
    /// Wakes wait_for_events(). Thread-safe.
    virtual void request_redraw() = 0;
    /// The same for a single frame, without the extra frames in which ImGui settles: another request will follow soon.
    virtual void request_frame() { request_redraw(); }
    virtual bool should_close() const = 0;
    virtual void cancel_close() = 0;
    /// Where the program can be closed without should_close(): says whether work would be lost. A web page then asks.
    virtual void ask_before_close(bool) {}
    /// Why settings, progress and trainings are not saved (any more); empty if they are.
    virtual std::string keeps_nothing() const { return {}; }
    /// What it was asked to do and could not, since the last call; empty if all was done.
    virtual std::string take_trouble() { return {}; }
    /// The web page's address; empty if the program is not one.
    virtual std::string address() const { return {}; }
    /// Covers the whole screen that the window is on, or restores it; does nothing if there is no screen.
    virtual void set_full_screen(bool) {}

    /// True if there is a second screen for a lecturer, beside the audience's.
    virtual bool second_screen() const { return false; }
    /// Opens a window on the lecturer's screen; it shares OpenGL objects with this one, and keys typed in it go to this
    /// one. It must not outlive this surface. Null if there is no second screen. From then on full screen means the
    /// audience's.
    virtual std::unique_ptr<Surface> open_beside() { return nullptr; }
    /// Swaps the lecturer's and the audience's screens.
    virtual void swap_screens() {}
    /// True if it has the keyboard.
    virtual bool focused() const { return false; }
    /// For the lecturer's window: whether keys typed in it stay in it or go to the other window.
    virtual void keep_keys(bool) {}

    /// Files, folders and links (common/links.h) dropped on the window since the last call.
    virtual std::vector<std::string> take_dropped() { return {}; }
    /// The position of the window's content, in desktop units; empty if the system does not report it.
    virtual std::optional<ScreenPlace> place() const { return std::nullopt; }

    virtual std::unique_ptr<SharedContext> create_shared_context() = 0;
    /// True for an offscreen picture, which is complete in its first frame.
    virtual bool offscreen() const { return false; }
};

/// How a window opens; sizes are in desktop units.
struct WindowOptions {
    std::string title = "Glassformer";
    int width = 1600;
    int height = 1000;
    std::optional<ScreenPlace> place;  // used if a screen is there
};

/// Opens a real window with OpenGL 4.3 core, or 3.3 if that is all there is; in a browser, the page with WebGL 2.
/// Throws Error if there is no display or no OpenGL. One at a time, on the main thread only (except request_redraw).
std::unique_ptr<Surface> open_window(const WindowOptions& options = {});

}  // namespace glassformer::app
