#pragma once

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace glassformer::app {

/// Preserves key taps shorter than a frame. ImGui 1.86 sees only the keys that are down when a frame starts, so a key
/// pressed and released since the last frame is reported as down for one frame, with its modifiers. A key tapped twice
/// is reported as up for a frame in between, so that a clicker on a slow machine loses no slide. Later versions queue
/// their events themselves.
class KeyTaps {
public:
    /// Call this from GLFW's key callback.
    void changed(int key, int action, int modifiers) {
        if (key < 0 || key >= key_count || action == GLFW_REPEAT) return;
        down_[key] = action == GLFW_PRESS;
        if (action == GLFW_PRESS) taps_.push_back({key, modifiers});
    }

    /// Call this once per frame, before ImGui reads its keys. Returns true if a tap is left for the next frame.
    bool apply(ImGuiIO& io) {
#if IMGUI_VERSION_NUM < 18700
        for (const int key : shown_) io.KeysDown[key] = down_[key];
        shown_.clear();
        int modifiers = 0;
        std::vector<Tap> later;
        for (const Tap& tap : taps_) {
            const std::size_t key = tap.key;
            if (!later.empty() || before_[key] || tapped(tap.key)) {
                if (!tapped(tap.key))
                    show(io, tap.key, false);  // if held down, it would be seen now and again in its
                                               // turn
                later.push_back(tap);
            } else {
                modifiers |= tap.modifiers;  // they may be up by now, even while the key is down
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

    std::array<bool, key_count> down_{};    ///< the keyboard's state
    std::array<bool, key_count> before_{};  ///< what ImGui saw in the last frame
    std::vector<Tap> taps_;                 ///< not reported yet
    std::vector<int> shown_;                ///< keys whose reported state in this frame may differ from the real one
};

}  // namespace glassformer::app
