#pragma once

#include <GLFW/glfw3.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "app/window/typed_key.h"

namespace glassformer::app {

/// Which of GLFW's keys the key events of a browser are about; −1 for keys that the program does not use.
class PageKeys {
public:
    /// `code` names a key by its place on an American keyboard, `means` is what it types with the user's layout: Ctrl+Z
    /// is where the Z is, and where a layout has other letters, by place.
    int pressed(std::string_view code, std::string_view means) {
        return held_[std::string(code)] = key_of(code, means);
    }

    /// Returns the key that was pressed there: with Shift up or down since, it may mean another one.
    int released(std::string_view code, std::string_view means) {
        const auto held = held_.find(code);
        if (held == held_.end()) return key_of(code, means);
        const int key = held->second;
        held_.erase(held);
        return key;
    }

    void release_all() { held_.clear(); }

private:
    struct Row {
        std::string_view code;
        int key;
    };
    static constexpr Row rows[] = {
        {"Tab", GLFW_KEY_TAB},
        {"ArrowLeft", GLFW_KEY_LEFT},
        {"ArrowRight", GLFW_KEY_RIGHT},
        {"ArrowUp", GLFW_KEY_UP},
        {"ArrowDown", GLFW_KEY_DOWN},
        {"PageUp", GLFW_KEY_PAGE_UP},
        {"PageDown", GLFW_KEY_PAGE_DOWN},
        {"Home", GLFW_KEY_HOME},
        {"End", GLFW_KEY_END},
        {"Insert", GLFW_KEY_INSERT},
        {"Delete", GLFW_KEY_DELETE},
        {"Backspace", GLFW_KEY_BACKSPACE},
        {"Space", GLFW_KEY_SPACE},
        {"Enter", GLFW_KEY_ENTER},
        {"NumpadEnter", GLFW_KEY_ENTER},
        {"Escape", GLFW_KEY_ESCAPE},
        {"Minus", GLFW_KEY_MINUS},
        {"Equal", GLFW_KEY_EQUAL},
        {"Comma", GLFW_KEY_COMMA},
        {"Period", GLFW_KEY_PERIOD},
        {"Slash", GLFW_KEY_SLASH},
        {"ControlLeft", GLFW_KEY_LEFT_CONTROL},
        {"ControlRight", GLFW_KEY_RIGHT_CONTROL},
        {"ShiftLeft", GLFW_KEY_LEFT_SHIFT},
        {"ShiftRight", GLFW_KEY_RIGHT_SHIFT},
        {"AltLeft", GLFW_KEY_LEFT_ALT},
    };

    static int key_of(std::string_view code, std::string_view means) { return key_of_layout(place_of(code), means); }

    static int place_of(std::string_view code) {
        if (code.size() == 4 && code.starts_with("Key")) return code[3];    // KeyA: 'A'
        if (code.size() == 6 && code.starts_with("Digit")) return code[5];  // Digit0: '0'
        if (code.size() >= 2 && code[0] == 'F' && code[1] >= '1' && code[1] <= '9') {
            const int number = code.size() == 2 ? code[1] - '0' : 10 * (code[1] - '0') + (code[2] - '0');
            return number <= 12 ? GLFW_KEY_F1 + number - 1 : -1;
        }
        const auto row = std::ranges::find(rows, code, &Row::code);
        return row == std::end(rows) ? -1 : row->key;
    }

    std::map<std::string, int, std::less<>> held_;  // by code
};

}  // namespace glassformer::app
