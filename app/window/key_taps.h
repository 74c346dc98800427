#pragma once

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace glassformer::app {

/// Keeps key taps that are shorter than a frame. ImGui 1.86 sees only the keys that are down when a frame starts, so a
/// key that went down and up again since the last frame is shown down for one frame, with its modifiers. A key that was
/// tapped twice is shown up for a frame in between: a clicker on a slow machine loses no slide. Newer versions queue
/// their events themselves.
class KeyTaps {
public:
    /// As GLFW's key callback says it.
    void changed(int key, int action, int modifiers) {
        if (key < 0 || key >= key_count || action == GLFW_REPEAT) return;
        down_[key] = action == GLFW_PRESS;
        if (action == GLFW_PRESS) taps_.push_back({key, modifiers});
    }

    /// Once a frame, before ImGui reads its keys. True where a tap is left for the next frame.
    bool apply(ImGuiIO& io) {
#if IMGUI_VERSION_NUM < 18700
        for (const int key : shown_) io.KeysDown[key] = down_[key];
        shown_.clear();
        int modifiers = 0;
        std::vector<Tap> later;
        for (const Tap& tap : taps_) {
            const std::size_t key = tap.key;
            if (!later.empty() || before_[key] || tapped(tap.key)) {
                if (!tapped(tap.key)) show(io, tap.key, false);  // one that is held would be seen now, and in its turn
                later.push_back(tap);
            } else {
                modifiers |= tap.modifiers;  // they may be up again by now, even while the key is down
                show(io, tap.key, true);
            }
        }
        taps_ = std::move(later);
        for (std::size_t key = 0; key < before_.size(); ++key) before_[key] = io.KeysDown[key];
        io.KeyCtrl = (modifiers & GLFW_MOD_CONTROL) || down_[GLFW_KEY_LEFT_CONTROL] || down_[GLFW_KEY_RIGHT_CONTROL];
        io.KeyShift = (modifiers & GLFW_MOD_SHIFT) || down_[GLFW_KEY_LEFT_SHIFT] || down_[GLFW_KEY_RIGHT_SHIFT];
#else
        (void)io;
        taps_.clear();
#endif
        return !taps_.empty();
    }

private:
    struct Tap {
        int key, modifiers;
    };
    static constexpr int key_count = 512;

#if IMGUI_VERSION_NUM < 18700
    bool tapped(int key) const {
        for (const int shown : shown_)
            if (shown == key) return true;
        return false;
    }
    void show(ImGuiIO& io, int key, bool down) {
        io.KeysDown[key] = down;
        shown_.push_back(key);
    }
#endif

    std::array<bool, key_count> down_{};    ///< as the keyboard is
    std::array<bool, key_count> before_{};  ///< as ImGui saw them in the last frame
    std::vector<Tap> taps_;                 ///< not shown yet
    std::vector<int> shown_;                ///< keys that this frame shows otherwise than they may be
};

}  // namespace glassformer::app
