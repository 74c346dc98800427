#include <epoxy/gl.h>
// epoxy first: it replaces the system's gl.h
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "app/context/software_renderer.h"
#include "app/ui/input.h"
#include "app/window/frame_pace.h"
#include "app/window/glfw/glfw_beside.h"
#include "app/window/glfw/layout_key.h"
#include "app/window/key_taps.h"
#include "app/window/surface.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

namespace {

constexpr int minimum_width = 960, minimum_height = 600;
constexpr int settle_frames = 3;   // ImGui needs a few frames after an event for hover, popups and layout
constexpr double idle_wait = 0.5;  // seconds; an open text field is redrawn at this rate, for its caret

std::string glfw_reason() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text ? text : N_("GLFW names no reason");
}

#ifdef _WIN32
constexpr const char* no_opengl =
    N_("no window with OpenGL 3.3 or newer: {1}. Install the driver of the graphics card");
#else
constexpr const char* no_opengl = N_(
    "no window with OpenGL 3.3 or newer: {1}. Install the driver of the graphics card (package libgl1-mesa-dri draws "
    "in software)");
#endif

/// Initialises and terminates GLFW. Declared first in the window, so that it outlives everything else there.
struct GlfwLibrary {
    GlfwLibrary() {
        if (!has_room_for_opengl()) throw std::bad_alloc();
#if defined(GLFW_PLATFORM) && !defined(_WIN32)  // since 3.4; without Wayland its library prints complaints
        if (!std::getenv("WAYLAND_DISPLAY")) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
        if (!glfwInit())
            throw Error(
                "no display to open a window on: {1}. Set DISPLAY or WAYLAND_DISPLAY, or use a command that needs no "
                "window (glassformer --help)",
                glfw_reason());
    }
    ~GlfwLibrary() { glfwTerminate(); }
};

GLFWwindow* try_window(const WindowOptions& options, int version, GLFWwindow* share, bool visible) {
    opengl_hints(version);
    glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);  // the audience's screen stays while the lecturer works elsewhere
    return glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, share);
}

/// The screen where a window at this position could be seen and moved; null if it has gone since the last start.
GLFWmonitor* screen_at(ScreenPlace place) {
    constexpr int title_bar = 64;  // how much of the title bar must stay reachable
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        int x = 0, y = 0, width = 0, height = 0;
        glfwGetMonitorWorkarea(monitors[i], &x, &y, &width, &height);
        if (place.x >= x && place.x < x + width - title_bar && place.y >= y && place.y < y + height - title_bar)
            return monitors[i];
    }
    return nullptr;
}

/// Limits the size to the screen that it opens on: not every desktop does so itself.
WindowOptions fitted(WindowOptions options) {
    GLFWmonitor* screen = options.place ? screen_at(*options.place) : nullptr;
    if (!screen) screen = glfwGetPrimaryMonitor();
    if (!screen) return options;
    int x = 0, y = 0, width = 0, height = 0;
    float scale_x = 1, scale_y = 1;  // GLFW enlarges the window by these
    glfwGetMonitorWorkarea(screen, &x, &y, &width, &height);
    glfwGetMonitorContentScale(screen, &scale_x, &scale_y);
    if (width <= 0 || height <= 0) return options;
    const auto most = [](int room, float scale) {
        return static_cast<int>(static_cast<float>(room) / std::max(scale, 1.0f));
    };
    options.width = std::max(minimum_width, std::min(options.width, most(width, scale_x)));
    options.height = std::max(minimum_height, std::min(options.height, most(height, scale_y)));
    return options;
}

class GlfwSharedContext : public SharedContext {
public:
    explicit GlfwSharedContext(GLFWwindow* hidden) : hidden_(hidden) {}
    ~GlfwSharedContext() override { glfwDestroyWindow(hidden_); }
    void make_current() override { glfwMakeContextCurrent(hidden_); }
    void release() override { glfwMakeContextCurrent(nullptr); }

private:
    GLFWwindow* hidden_;
};

class GlfwWindow : public GlfwSurface {
public:
    explicit GlfwWindow(const WindowOptions& wanted) {
        const WindowOptions options = fitted(wanted);
        for (int version : {43, 33}) {
            window_ = try_window(options, version, nullptr, true);
            gl_version_ = version;
            if (window_) break;
        }
        if (!window_) throw Error(no_opengl, glfw_reason());
        glfwSetWindowUserPointer(window_, this);
        glfwSetWindowSizeLimits(window_, minimum_width, minimum_height, GLFW_DONT_CARE, GLFW_DONT_CARE);
        if (options.place && screen_at(*options.place)) glfwSetWindowPos(window_, options.place->x, options.place->y);
#ifdef _WIN32
        keep_on_screen();
#endif
        glfwMakeContextCurrent(window_);
        glfwSwapInterval(1);
        set_callbacks();
    }

    ~GlfwWindow() override { glfwDestroyWindow(window_); }

    void attach_imgui() override {
        ImGui_ImplGlfw_InitForOpenGL(window_, true);
#if IMGUI_VERSION_NUM >= 18700
        // The backend names a key after what it types: the French 4 would be "'", the 6 "-".
        glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
            if (!keeps_its_digit(key)) return ImGui_ImplGlfw_KeyCallback(w, key, scancode, action, modifiers);
            of(w).event_ = true;
            if (action != GLFW_REPEAT) script_key(*key_from_glfw(key), action == GLFW_PRESS);
        });
#endif
    }
    void detach_imgui() override { ImGui_ImplGlfw_Shutdown(); }

    void new_imgui_frame() override {
        ImGui_ImplGlfw_NewFrame();
        // The app uses real pixels throughout, so that text is rasterised at its size on screen.
        ImGuiIO& io = ImGui::GetIO();
        if (taps_.apply(io)) event_ = true;  // request the next frame at once
        const ImVec2 ratio = io.DisplayFramebufferScale;
        io.DisplaySize = ImVec2(io.DisplaySize.x * ratio.x, io.DisplaySize.y * ratio.y);
        if (ImGui::IsMousePosValid(&io.MousePos))
            io.MousePos = ImVec2(io.MousePos.x * ratio.x, io.MousePos.y * ratio.y);
        io.DisplayFramebufferScale = ImVec2(1, 1);
    }

    bool wait_for_events(bool moving) override {
        const double start = glfwGetTime();
        if (std::exchange(drawing_, false)) pace_.end(start);
        if (moving || settle_ > 0) {
            glfwPollEvents();
        } else {
            const double longest = frame_.load() ? pace_.wait(start) : idle_wait;
            longest > 0.0 ? glfwWaitEventsTimeout(longest) : glfwPollEvents();
            const double end = glfwGetTime();
            if (!redraw_.load() && !event_) {
                if (frame_.load() ? pace_.wait(end) > 0.0 : end - start >= idle_wait * 0.95)
                    return !frame_.load() && ImGui::GetCurrentContext() && ImGui::GetIO().WantTextInput;
            }
        }
        if (frame_.exchange(false)) settle_ = std::max(settle_, 1);
        if (event_) pace_.input(glfwGetTime());
        if (redraw_.exchange(false) || event_) settle_ = settle_frames;
        event_ = false;
        settle_ = std::max(settle_ - 1, 0);
        if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) {
            glfwWaitEventsTimeout(0.1);
            return false;
        }
        drawing_ = true;
        pace_.begin(glfwGetTime());
        return true;
    }

    void request_redraw() override {
        redraw_.store(true);
        glfwPostEmptyEvent();
    }
    void request_frame() override {
        frame_.store(true);
        glfwPostEmptyEvent();
    }

    void set_full_screen(bool on) override {
        if (on == (glfwGetWindowMonitor(window_) != nullptr)) return;
        if (!on)
            return glfwSetWindowMonitor(window_, nullptr, before_.x, before_.y, before_size_.width, before_size_.height,
                                        GLFW_DONT_CARE);
        glfwGetWindowPos(window_, &before_.x, &before_.y);
        glfwGetWindowSize(window_, &before_size_.width, &before_size_.height);
        cover(beside_ ? beside_->other_screen() : own_screen());
    }

    bool second_screen() const override { return separate_screens().size() > 1; }

    /// The audience gets the screen that the window is on, unless that is the desktop's primary screen, which is the
    /// lecturer's.
    std::unique_ptr<Surface> open_beside() override {
        const std::vector<GLFWmonitor*> screens = separate_screens();
        if (screens.size() < 2) return nullptr;
        GLFWmonitor* own = own_screen();
        const bool elsewhere = own && own != screens[0] && std::ranges::count(screens, own) > 0;
        std::unique_ptr<GlfwBeside> beside =
            open_glfw_beside(window_, gl_version_, screens[0], elsewhere ? own : screens[1], [this] { event_ = true; });
        beside->on_end([this] { beside_ = nullptr; });
        beside_ = beside.get();
        if (glfwGetWindowMonitor(window_)) cover(beside_->other_screen());
        return beside;
    }
    void swap_screens() override {
        if (!beside_) return;
        beside_->swap();
        if (glfwGetWindowMonitor(window_)) cover(beside_->other_screen());
    }

    std::vector<std::string> take_dropped() override { return std::exchange(dropped_, {}); }

    std::optional<ScreenPlace> place() const override {
        ScreenPlace at;
        glfwGetError(nullptr);
        glfwGetWindowPos(window_, &at.x, &at.y);
        if (glfwGetError(nullptr) != GLFW_NO_ERROR) return std::nullopt;  // Wayland does not report it
        return at;
    }

    std::unique_ptr<SharedContext> create_shared_context() override {
        WindowOptions options;
        options.width = options.height = 16;
        GLFWwindow* hidden = try_window(options, gl_version_, window_, false);
        if (!hidden) throw Error("could not create a second OpenGL context for the worker: {1}", glfw_reason());
        return std::make_unique<GlfwSharedContext>(hidden);
    }

private:
    /// Keeps the window and its frame within the screen's work area: Windows places new windows anywhere, and fitted()
    /// could not know the frame. Elsewhere the window manager does this.
    void keep_on_screen() {
        GLFWmonitor* screen = own_screen();
        if (!screen) return;
        ScreenPlace room, at;
        PixelSize most, has;
        int left = 0, top = 0, right = 0, bottom = 0;
        glfwGetMonitorWorkarea(screen, &room.x, &room.y, &most.width, &most.height);
        glfwGetWindowFrameSize(window_, &left, &top, &right, &bottom);
        glfwGetWindowPos(window_, &at.x, &at.y);
        glfwGetWindowSize(window_, &has.width, &has.height);
        const PixelSize fits{std::min(has.width, most.width - left - right),
                             std::min(has.height, most.height - top - bottom)};
        const auto between = [](int place, int first, int last) { return std::max(first, std::min(place, last)); };
        glfwSetWindowSize(window_, fits.width, fits.height);
        glfwSetWindowPos(window_, between(at.x, room.x + left, room.x + most.width - right - fits.width),
                         between(at.y, room.y + top, room.y + most.height - bottom - fits.height));
    }
    /// The screen with the window's centre, as far as it is known.
    GLFWmonitor* own_screen() const {
        if (GLFWmonitor* covered = glfwGetWindowMonitor(window_)) return covered;
        int x = 0, y = 0, width = 0, height = 0;
        glfwGetWindowPos(window_, &x, &y);
        glfwGetWindowSize(window_, &width, &height);
        GLFWmonitor* screen = screen_at({x + width / 2, y + height / 2});
        return screen ? screen : glfwGetPrimaryMonitor();
    }
    void cover(GLFWmonitor* screen) {
        const GLFWvidmode* mode = screen ? glfwGetVideoMode(screen) : nullptr;
        if (mode) glfwSetWindowMonitor(window_, screen, 0, 0, mode->width, mode->height, mode->refreshRate);
    }

    static GlfwWindow& of(GLFWwindow* window) { return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window)); }

    /// Notes every event. ImGui's backend is attached later and chains to these callbacks.
    void set_callbacks() {
        glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { of(w).event_ = true; });
        glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { of(w).event_ = true; });
        glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { of(w).event_ = true; });
        glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
            of(w).event_ = true;
            of(w).taps_.changed(layout_key(key, scancode), action, modifiers);
        });
        glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
            of(w).event_ = true;
            of(w).dropped_.insert(of(w).dropped_.end(), paths, paths + count);
        });
        glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned character) {
            of(w).event_ = true;
            type_character(character);
        });
        glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int) { of(w).event_ = true; });
        glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { of(w).event_ = true; });
        glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { of(w).event_ = true; });
        glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { of(w).event_ = true; });
        glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { of(w).event_ = true; });
    }

    GlfwLibrary library_;
    int settle_ = settle_frames;
    bool event_ = false, drawing_ = false;
    FramePace pace_;
    KeyTaps taps_;
    ScreenPlace before_;  // position and size before it covered the whole screen
    PixelSize before_size_;
    std::vector<std::string> dropped_;
    GlfwBeside* beside_ = nullptr;
    std::atomic<bool> redraw_{false}, frame_{false};
};

}  // namespace

std::unique_ptr<Surface> open_window(const WindowOptions& options) { return std::make_unique<GlfwWindow>(options); }

}  // namespace glassformer::app
