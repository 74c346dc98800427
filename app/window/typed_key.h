#pragma once

#include <GLFW/glfw3.h>

#include <string_view>

namespace glassformer::app {

/// GLFW's number of the key that types `sign`, the same in every layout; −1 if the program names no such key. GLFW
/// numbers these keys as in ASCII.
inline int typed_key(std::string_view sign) {
    if (sign.size() != 1) return -1;
    const char c = sign[0];
    if (c >= 'a' && c <= 'z') return c - 'a' + GLFW_KEY_A;
    if (c == '+') return GLFW_KEY_EQUAL;
    const bool same = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::string_view("-=,./").find(c) < 5;
    return same ? c : -1;
}

/// True for the row of digits, which keeps them in every layout, because they choose answers and panels: a Czech one
/// types "+" without Shift, a French one "-", a German one "/" with it.
inline bool keeps_its_digit(int place) { return place >= GLFW_KEY_0 && place <= GLFW_KEY_9; }

/// The key at a place, GLFW's number of it on an American keyboard, where the user's layout has `sign`.
inline int key_of_layout(int place, std::string_view sign) {
    if (keeps_its_digit(place)) return place;
    const int typed = typed_key(sign);
    return typed < 0 ? place : typed;
}

}  // namespace glassformer::app
