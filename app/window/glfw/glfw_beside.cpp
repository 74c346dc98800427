#include "app/window/glfw/glfw_beside.h"

#include <epoxy/gl.h>
// epoxy first: it replaces the system's gl.h
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "app/language/tr.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/input.h"
#include "app/window/glfw/layout_key.h"
#include "app/window/key_taps.h"
#include "core/base/error.h"

namespace glassformer::app {

void opengl_hints(int version) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, version / 10);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, version % 10);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
}

std::vector<GLFWmonitor*> separate_screens() {
    int count = 0;
    GLFWmonitor** all = glfwGetMonitors(&count);
    std::vector<GLFWmonitor*> screens;
    std::vector<ScreenPlace> places;
    for (int i = 0; i < count; ++i) {
        ScreenPlace place;
        glfwGetMonitorPos(all[i], &place.x, &place.y);
        if (std::ranges::find(places, place) != places.end()) continue;
        places.push_back(place);
        screens.push_back(all[i]);
    }
    return screens;
}

void GlfwSurface::make_current() {
    if (glfwGetCurrentContext() != window_) glfwMakeContextCurrent(window_);
}

PixelSize GlfwSurface::size() const {
    PixelSize size;
    glfwGetFramebufferSize(window_, &size.width, &size.height);
    return size;
}

float GlfwSurface::content_scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(std::max(x, y), 1.0f, 2.0f);
}

void GlfwSurface::bind_target() {
    const PixelSize pixels = size();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, pixels.width, pixels.height);
}

void GlfwSurface::present() { glfwSwapBuffers(window_); }
bool GlfwSurface::should_close() const { return glfwWindowShouldClose(window_) != 0; }
void GlfwSurface::cancel_close() { glfwSetWindowShouldClose(window_, GLFW_FALSE); }

namespace {

class BesideWindow : public GlfwBeside {
public:
    BesideWindow(GLFWwindow* audience, int gl_version, GLFWmonitor* lecturers, GLFWmonitor* audiences,
                 std::function<void()> happened)
        : audience_(audience), lecturers_(lecturers), audiences_(audiences), happened_(std::move(happened)) {
        gl_version_ = gl_version;
        opengl_hints(gl_version);
        glfwWindowHint(GLFW_DECORATED, GLFW_FALSE);
        glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
        window_ = glfwCreateWindow(800, 600, tr("Glassformer: the lecturer's console"), nullptr, audience);
        if (!window_) throw Error("could not create a second window for the lecturer's console");
        glfwSetWindowUserPointer(window_, this);
        stand_on_lecturers();
        glfwMakeContextCurrent(window_);
        glfwSwapInterval(0);  // the audience's window waits for its own screen
        set_callbacks();
    }
    ~BesideWindow() override {
        if (end_) end_();
        release_keys();  // one of them may have closed the window
        glfwDestroyWindow(window_);
    }

    GLFWmonitor* other_screen() const override { return audiences_; }
    void swap() override {
        std::swap(lecturers_, audiences_);
        stand_on_lecturers();
    }
    void on_end(std::function<void()> end) override { end_ = std::move(end); }

    // ImGui's GLFW backend passes every window's events to the current context, so it is not used for this window.
    void attach_imgui() override {
        map_keys_for_offscreen();
        ImGui::GetIO().BackendPlatformName = "glassformer console";
        use_clipboard([](const char* text) { glfwSetClipboardString(nullptr, text); },
                      [] { return glfwGetClipboardString(nullptr); });
        time_ = glfwGetTime();
    }
    void detach_imgui() override {}

    void new_imgui_frame() override {
        ImGuiIO& io = ImGui::GetIO();
        const PixelSize pixels = size();
        int width = 0, height = 0;
        glfwGetWindowSize(window_, &width, &height);
        io.DisplaySize = ImVec2(static_cast<float>(pixels.width), static_cast<float>(pixels.height));
        io.DisplayFramebufferScale = ImVec2(1, 1);
        const double now = glfwGetTime();
        io.DeltaTime = std::max(static_cast<float>(now - time_), 1e-4f);
        time_ = now;
        const float ratio = width > 0 ? io.DisplaySize.x / static_cast<float>(width) : 1;
        script_mouse(inside_ ? ImVec2(mouse_.x * ratio, mouse_.y * ratio) : ImVec2(-1e6f, -1e6f), down_ || pressed_,
                     false);
        pressed_ = false;  // so that a click shorter than a frame counts
        if (wheel_ != 0) script_wheel(std::exchange(wheel_, 0.0f));
        for (const auto& [key, down] : std::exchange(keys_, {})) script_key(key, down);
        if (taps_.apply()) happened_();
        for (const char32_t character : std::exchange(typed_, {})) type_character(character);
    }

    bool focused() const override { return glfwGetWindowAttrib(window_, GLFW_FOCUSED) != 0; }
    void keep_keys(bool keep) override {
        if (keep == keeps_keys_) return;
        release_keys();
        keeps_keys_ = keep;
    }

    // The audience's window waits for both.
    bool wait_for_events(bool) override { return true; }
    void request_redraw() override { happened_(); }
    std::unique_ptr<SharedContext> create_shared_context() override { return nullptr; }

private:
    void stand_on_lecturers() {
        int x = 0, y = 0, width = 0, height = 0;
        glfwGetMonitorWorkarea(lecturers_, &x, &y, &width, &height);
        glfwSetWindowPos(window_, x, y);
        glfwSetWindowSize(window_, width, height);
    }

    static BesideWindow& of(GLFWwindow* window) {
        auto& found = *static_cast<BesideWindow*>(glfwGetWindowUserPointer(window));
        found.happened_();
        return found;
    }

    void set_callbacks() {
        glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
            of(w).mouse_ = ImVec2(static_cast<float>(x), static_cast<float>(y));
            of(w).inside_ = true;
        });
        glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int inside) { of(w).inside_ = inside != 0; });
        glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int) {
            if (button != GLFW_MOUSE_BUTTON_LEFT) return;
            of(w).down_ = action == GLFW_PRESS;
            of(w).pressed_ = of(w).pressed_ || action == GLFW_PRESS;
        });
        glfwSetScrollCallback(window_,
                              [](GLFWwindow* w, double, double lines) { of(w).wheel_ += static_cast<float>(lines); });
        glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
            std::map<int, int>& held = of(w).held_;
            if (action == GLFW_PRESS) held[key] = scancode;
            if (action != GLFW_RELEASE || held.erase(key) > 0) of(w).pass_on(key, scancode, action, modifiers);
        });
        glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned character) {
            if (of(w).keeps_keys_)
                of(w).typed_ += static_cast<char32_t>(character);
            else
                type_character(character);
        });
        glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { of(w); });
        glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { of(w); });
    }

    bool ctrl_held() const { return held_.contains(GLFW_KEY_LEFT_CONTROL) || held_.contains(GLFW_KEY_RIGHT_CONTROL); }
    bool shift_held() const { return held_.contains(GLFW_KEY_LEFT_SHIFT) || held_.contains(GLFW_KEY_RIGHT_SHIFT); }

    /// To whichever context gets the keys; between frames the audience's is current.
    void pass_on(int key, int scancode, int action, int modifiers) {
        if (!keeps_keys_) {
            pass_to_audience(key, scancode, action, modifiers);
            return;
        }
        const int typed = layout_key(key, scancode);
        taps_.changed(typed, action, modifiers);
        const std::optional<Key> known = key_from_glfw(typed);
        if (known && action != GLFW_REPEAT) keys_.emplace_back(*known, action == GLFW_PRESS);
    }

    /// Newer backends ask the audience's window, which has no focus, for the modifiers and queue the answer before the
    /// key: Ctrl+K would become K.
    void pass_to_audience(int key, int scancode, int action, int modifiers) {
        const std::optional<Key> known =
            IMGUI_VERSION_NUM < 18700 ? std::nullopt : key_from_glfw(layout_key(key, scancode));
        if (!known) ImGui_ImplGlfw_KeyCallback(audience_, key, scancode, action, modifiers);
        script_modifiers(ctrl_held(), shift_held());
        if (known && action != GLFW_REPEAT) script_key(*known, action == GLFW_PRESS);
    }

    /// Releases the keys that are down in the context where they were pressed: nothing else would tell it.
    void release_keys() {
        for (const auto& [key, scancode] : std::exchange(held_, {})) pass_on(key, scancode, GLFW_RELEASE, 0);
    }

    GLFWwindow* const audience_;
    GLFWmonitor *lecturers_, *audiences_;
    std::function<void()> happened_, end_;
    std::map<int, int> held_;  // keys that are down, with their scan codes
    bool keeps_keys_ = false;
    std::vector<std::pair<Key, bool>> keys_;  // pressed or released in this window since its last frame
    std::u32string typed_;
    KeyTaps taps_;
    ImVec2 mouse_{0, 0};
    bool inside_ = false, down_ = false, pressed_ = false;
    float wheel_ = 0;
    double time_ = 0;
};

}  // namespace

std::unique_ptr<GlfwBeside> open_glfw_beside(GLFWwindow* audience, int gl_version, GLFWmonitor* lecturers,
                                             GLFWmonitor* audiences, std::function<void()> happened) {
    return std::make_unique<BesideWindow>(audience, gl_version, lecturers, audiences, std::move(happened));
}

}  // namespace glassformer::app
