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

}  // namespace glassformer::app
