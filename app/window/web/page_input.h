#pragma once

#include <imgui.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/window/key_taps.h"
#include "app/window/web/page_touch.h"

namespace glassformer::app {

/// The user's input on the page, for ImGui's current context: pointer, wheel, keys, typed text, clipboard, dropped
/// files. Only one at a time.
class PageInput {
public:
    PageInput();
    ~PageInput();
    PageInput(const PageInput&) = delete;
    PageInput& operator=(const PageInput&) = delete;

    /// True if something happened since the last call.
    bool take_event();
    /// Call this before ImGui::NewFrame. Returns true if part of a short click or tap is left for the next frame.
    bool apply();
    std::vector<std::string> take_dropped();

    // Called by the page. Positions are in canvas pixels.
    void move(float x, float y);
    void leave();
    void press(int button, bool down);
    void turn_wheel(float x, float y);
    void press_key(int key, bool down, int modifiers);
    void tap_key(int key, int modifiers);
    void release_control();
    void type(char32_t character);
    void paste(std::string text);
    void drop(std::string file);
    void lose_keys();
    void happened();

private:
    KeyTaps taps_;
    std::unique_ptr<PageTouch> touch_;
    ImVec2 pointer_{-1e6f, -1e6f}, wheel_{0, 0};
    std::array<bool, 3> buttons_{}, pressed_{};  // pressed_: since the last frame, however briefly
    std::array<bool, 512> keys_{};
    std::vector<char32_t> typed_;
    std::vector<std::string> dropped_;
    bool event_ = true, types_ = false;
};

}  // namespace glassformer::app
