#pragma once

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "app/ui/input.h"

namespace glassformer::app {

/// Preserves key taps shorter than a frame, where ImGui is told which keys are down when a frame starts: a key pressed
/// and released since the last frame is reported as down for one frame, with its modifiers. A key tapped twice is
/// reported as up for a frame in between, so that a clicker on a slow machine loses no slide.
class KeyTaps {
public:
    /// Call this for each key event, with GLFW's key, action and modifiers.
    void changed(int key, int action, int modifiers) {
        if (key < 0 || key >= key_count || action == GLFW_REPEAT) return;
        down_[key] = action == GLFW_PRESS;
        if (action == GLFW_PRESS) taps_.push_back({key, modifiers});
    }

    /// As if the key had not been pressed: on Windows, Ctrl goes down before AltGr does.
    void take_back(int key) {
        down_[key] = false;
        std::erase_if(taps_, [&](const Tap& tap) { return tap.key == key; });
    }

    /// Call this once per frame, before ImGui reads its keys, after ImGui's GLFW backend. Returns true if a tap is left
    /// for the next frame.
    bool apply(ImGuiIO& io) {
#if IMGUI_VERSION_NUM < 18700
        // The backend takes keys by their place, changed() hears of them as the layout has them.
        for (int key = 0; key < GLFW_KEY_ESCAPE; ++key) io.KeysDown[key] = down_[key];
        return report([&](int key, bool down) { io.KeysDown[key] = down; },
                      [&](bool ctrl, bool shift) { io.KeyCtrl = ctrl, io.KeyShift = shift; });
#else
        (void)io;
        taps_.clear();  // the backend queues its events itself
        return false;
#endif
    }

    /// The same in a window that itself sets in each frame which keys are down, in any version of ImGui.
    bool apply() {
        return report(
            [](int key, bool down) {
                if (const std::optional<Key> known = key_from_glfw(key)) script_key(*known, down);
            },
            script_modifiers);
    }

private:
    struct Tap {
        int key, modifiers;
    };
    static constexpr int key_count = 512;

    /// Calls set_key(key, down) for keys that ImGui is to see otherwise than they are, and set_modifiers(ctrl, shift).
    bool report(const auto& set_key, const auto& set_modifiers) {
        for (const int key : std::exchange(shown_, {})) set_key(key, down_[key]);
        std::array<bool, key_count> seen = down_;
        const auto tapped = [&](int key) { return std::ranges::find(shown_, key) != shown_.end(); };
        const auto show = [&](int key, bool down) {
            set_key(key, seen[key] = down);
            shown_.push_back(key);
        };
        int modifiers = 0;
        std::vector<Tap> later;
        for (const Tap& tap : taps_) {
            if (!later.empty() || before_[tap.key] || tapped(tap.key)) {
                if (!tapped(tap.key))
                    show(tap.key, false);  // if held down, it would be seen now and again in its
                                           // turn
                later.push_back(tap);
            } else {
                modifiers |= tap.modifiers;  // they may be up by now, even while the key is down
                show(tap.key, true);
            }
        }
        taps_ = std::move(later);
        before_ = seen;
        set_modifiers((modifiers & GLFW_MOD_CONTROL) || down_[GLFW_KEY_LEFT_CONTROL] || down_[GLFW_KEY_RIGHT_CONTROL],
                      (modifiers & GLFW_MOD_SHIFT) || down_[GLFW_KEY_LEFT_SHIFT] || down_[GLFW_KEY_RIGHT_SHIFT]);
        return !taps_.empty();
    }

    std::array<bool, key_count> down_{};    ///< the keyboard's state
    std::array<bool, key_count> before_{};  ///< what ImGui saw in the last frame
    std::vector<Tap> taps_;                 ///< not reported yet
    std::vector<int> shown_;                ///< keys whose reported state in this frame may differ from the real one
};

}  // namespace glassformer::app
