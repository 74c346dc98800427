#include <emscripten.h>
#include <emscripten/html5.h>
#include <epoxy/gl.h>
#include <imgui.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/language/tr.h"
#include "app/ui/items.h"
#include "app/window/frame_pace.h"
#include "app/window/surface.h"
#include "app/window/web/page.h"
#include "app/window/web/page_input.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"

// clang-format off
EM_JS(void, glassformer_cursor, (const char* name), { document.getElementById('canvas').style.cursor = UTF8ToString(name); });
EM_JS(void, glassformer_sentence, (const char* text), {
    const box = document.getElementById('sentence');
    box.textContent = UTF8ToString(text);
    box.hidden = !box.textContent;
});
// Records texture sizes for ui/web/texture_size.cpp.
EM_JS(void, glassformer_note_texture_sizes, (), {
    const note = (width, height, level) => {
        const texture = GLctx.getParameter(GLctx.TEXTURE_BINDING_2D);
        if (texture && !level) texture.glassformerSize = [width, height];
    };
    const make = GLctx.texImage2D.bind(GLctx), copy = GLctx.copyTexImage2D.bind(GLctx);
    GLctx.texImage2D = (target, level, format, width, height, ...rest) => {
        note(width, height, level);
        return make(target, level, format, width, height, ...rest);
    };
    GLctx.copyTexImage2D = (target, level, format, x, y, width, height, border) => {
        note(width, height, level);
        return copy(target, level, format, x, y, width, height, border);
    };
});
EM_JS(void, glassformer_unsaved, (int unsaved), { Module.unsaved = unsaved != 0; });
EM_JS(char*, glassformer_keeps_nothing, (), { return stringToNewUTF8(Module['keepsNothing']); });
EM_JS(int, glassformer_take_not_copied, (), {
    const failed = Module.notCopied;
    Module.notCopied = false;
    return failed ? 1 : 0;
});
EM_JS(char*, glassformer_address, (), { return stringToNewUTF8(location.href.split('#')[0]); });
EM_JS(int, glassformer_covers_screen, (), { return document.fullscreenElement ? 1 : 0; });
// clang-format on

namespace glassformer::app {

namespace {

Items* items = nullptr;

constexpr int settle_frames = 3;      // ImGui needs a few frames after an event for hover, popups and layout
constexpr double caret_blinks = 0.5;  // seconds; an open text field is redrawn at this rate

const char* css_cursor(ImGuiMouseCursor cursor) {
    switch (cursor) {
        case ImGuiMouseCursor_TextInput:
            return "text";
        case ImGuiMouseCursor_ResizeAll:
            return "move";
        case ImGuiMouseCursor_ResizeNS:
            return "ns-resize";
        case ImGuiMouseCursor_ResizeEW:
            return "ew-resize";
        case ImGuiMouseCursor_ResizeNESW:
            return "nesw-resize";
        case ImGuiMouseCursor_ResizeNWSE:
            return "nwse-resize";
        case ImGuiMouseCursor_Hand:
            return "pointer";
        case ImGuiMouseCursor_NotAllowed:
            return "not-allowed";
        default:
            return "default";
    }
}

/// Copies a string allocated by the page and frees it.
std::string taken(char* text) {
    const std::string copy = text;
    std::free(text);
    return copy;
}

class PageWindow : public Surface {
public:
    PageWindow() {
        EmscriptenWebGLContextAttributes wanted;
        emscripten_webgl_init_context_attributes(&wanted);
        wanted.majorVersion = 2;
        wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = false;
        context_ = emscripten_webgl_create_context(canvas, &wanted);
        if (context_ <= 0)
            throw Error("this browser gives the page no WebGL 2; allow it in its settings, or use another one");
        PageWindow::make_current();
        glassformer_note_texture_sizes();
        emscripten_set_webglcontextlost_callback(canvas, this, false, [](int, const void*, void* window) -> EM_BOOL {
            static_cast<PageWindow*>(window)->lose_graphics();
            return false;
        });
        fit();
    }
    ~PageWindow() override {
        PageWindow::ask_before_close(false);  // nothing is left to lose
        emscripten_set_webglcontextlost_callback(canvas, nullptr, false, nullptr);
        emscripten_webgl_destroy_context(context_);
    }

    void make_current() override { emscripten_webgl_make_context_current(context_); }
    PixelSize size() const override { return size_; }
    float content_scale() const override {
        return std::clamp(static_cast<float>(emscripten_get_device_pixel_ratio()), 1.0f, 3.0f);
    }
    int gl_version() const override { return 33; }  // what WebGL 2 offers

    void attach_imgui() override { input_ = std::make_unique<PageInput>(); }
    void detach_imgui() override { input_.reset(), items = nullptr; }
    void shows(Items& all) override { items = &all; }

    void new_imgui_frame() override {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = ImVec2(static_cast<float>(size_.width), static_cast<float>(size_.height));
        io.DisplayFramebufferScale = ImVec2(1, 1);
        const double now = emscripten_get_now() / 1000;
        drawing_ = true;
        pace_.begin(now);
        io.DeltaTime = static_cast<float>(std::clamp(now - std::exchange(last_frame_, now), 1e-4, 1.0));
        if (input_->apply()) event_ = true;
        if (const char* cursor = css_cursor(ImGui::GetMouseCursor()); cursor != cursor_)
            glassformer_cursor(cursor_ = cursor);
    }

    void bind_target() override {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glViewport(0, 0, size_.width, size_.height);
    }
    void present() override {}  // the browser shows it when the page's frame ends

    bool wait_for_events(bool moving) override {
        if (lost_) return false;
        const double now = emscripten_get_now() / 1000, for_tasks = take_seconds_of_tasks();
        // From the frame's beginning until the browser asked for the next one, but for the time that tasks had.
        if (std::exchange(drawing_, false)) pace_.end(now - for_tasks);
        if (fit() || (input_ && input_->take_event())) event_ = true;
        if (event_) pace_.input(now);
        if (pace_.wait(now) == 0 && frame_.exchange(false)) settle_ = std::max(settle_, 1);
        if (redraw_.exchange(false) || std::exchange(event_, false)) settle_ = settle_frames;
        const bool settling = settle_ > 0;
        settle_ = std::max(settle_ - 1, 0);
        if (moving || settling) return true;
        return ImGui::GetCurrentContext() && ImGui::GetIO().WantTextInput && now - last_frame_ > caret_blinks;
    }
    void request_redraw() override { redraw_ = true; }
    void request_frame() override { frame_ = true; }
    bool should_close() const override { return false; }  // the tab closes without asking the program
    void cancel_close() override {}
    void ask_before_close(bool unsaved) override {
        if (unsaved != std::exchange(unsaved_, unsaved)) glassformer_unsaved(unsaved);
    }
    std::string keeps_nothing() const override {
        const std::string who = taken(glassformer_keeps_nothing());
        if (who == "tab")
            return N_(
                "Glassformer is already open in another tab, and only that tab keeps settings, progress and "
                "trainings. What you do here is lost when you close this tab: save what you need to a file.");
        if (who == "browser")
            return N_(
                "This browser does not let the page keep anything: settings, progress and trainings are lost "
                "when you close it. Save what you need to a file.");
        if (who == "full")
            return N_(
                "This browser has no more room for what the page keeps: what you change from now on is lost when you "
                "close it. Save what you need to a file.");
        return {};
    }
    std::string take_trouble() override {
        if (!glassformer_take_not_copied()) return {};
        return N_(
            "The browser did not let this page write to the clipboard. Press Ctrl+C (on a Mac Cmd+C) to copy it now.");
    }
    std::string address() const override { return taken(glassformer_address()); }

    void set_full_screen(bool on) override {
        if (on == full_screen_) return;
        full_screen_ = on;
        if (on)
            emscripten_request_fullscreen(canvas, true);
        else if (glassformer_covers_screen())
            emscripten_exit_fullscreen();
    }

    bool focused() const override { return true; }
    std::vector<std::string> take_dropped() override {
        return input_ ? input_->take_dropped() : std::vector<std::string>();
    }

    std::unique_ptr<SharedContext> create_shared_context() override {
        throw Error("WebGL computes nothing: it has no compute shaders");
    }

private:
    /// The browser takes a page's textures and shaders for want of memory, or of a tablet's page in the background.
    void lose_graphics() {
        lost_ = true;
        show_in_page(keeps_nothing().empty()
                         ? tr("The browser has taken this page's graphics away, perhaps for lack of memory. Reload the "
                              "page to continue; it then offers you an unsaved training.")
                         : tr("The browser has taken this page's graphics away, perhaps for lack of memory. Reload the "
                              "page to continue; a training that you have not saved is lost."));
    }

    /// Gives the canvas as many pixels as it covers on the screen. Returns true if that has changed.
    bool fit() {
        double width = 0, height = 0;
        emscripten_get_element_css_size(canvas, &width, &height);
        const double ratio = emscripten_get_device_pixel_ratio();
        const PixelSize now{std::max(1, static_cast<int>(std::round(width * ratio))),
                            std::max(1, static_cast<int>(std::round(height * ratio)))};
        if (now.width == size_.width && now.height == size_.height) return false;
        size_ = now;
        emscripten_set_canvas_element_size(canvas, now.width, now.height);
        return true;
    }

    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context_ = 0;
    PixelSize size_;
    std::unique_ptr<PageInput> input_;
    double last_frame_ = 0;
    FramePace pace_;
    bool drawing_ = false;  // a frame began, and its end is not known yet
    int settle_ = settle_frames;
    bool event_ = false, full_screen_ = false, unsaved_ = false, lost_ = false;
    const char* cursor_ = nullptr;
    std::atomic<bool> redraw_{false}, frame_{false};
};

/// Maps each label to [left, top, right, bottom, value, text, value is state], in canvas pixels.
std::string items_json() {
    auto all = nlohmann::json::object();
    if (items)
        for (const Item& item : items->all())
            all[std::string(item.label)] = {item.min.x,
                                            item.min.y,
                                            item.max.x,
                                            item.max.y,
                                            item.value ? nlohmann::json(*item.value) : nlohmann::json(),
                                            std::string(item.text),
                                            item.value_is_state};
    return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::unique_ptr<Surface> open_window(const WindowOptions&) { return std::make_unique<PageWindow>(); }

ImVec2 finger_target(ImVec2 at) {
    constexpr double reach = 20;  // CSS pixels: so every target is 40 wide and high for a finger
    return items ? items->click_target(at, static_cast<float>(reach * emscripten_get_device_pixel_ratio())) : at;
}

const void* scrolled_from(ImVec2 at) { return items ? items->scrolled_from(at) : nullptr; }

void scroll(const void* window, ImVec2 pixels) {
    if (items) items->scroll(window, pixels);
}

std::optional<Box> caret() {
    if (!items) return std::nullopt;
    const auto is_caret = [](const Item& item) { return item.label.ends_with("/caret"); };
    const auto found = std::ranges::find_if(items->all(), is_caret);
    return found == items->all().end() ? std::nullopt : std::optional<Box>(*found);
}

void show_in_page(const std::string& sentence) { glassformer_sentence(sentence.c_str()); }

}  // namespace glassformer::app

/// For tests in a browser: the items on the screen.
extern "C" EMSCRIPTEN_KEEPALIVE const char* glassformer_items() {
    static std::string text;
    text = glassformer::app::items_json();
    return text.c_str();
}
