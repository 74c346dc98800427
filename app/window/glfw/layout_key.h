#pragma once

#include <GLFW/glfw3.h>

#include "app/window/typed_key.h"

namespace glassformer::app {

/// The key of an event of GLFW's, which names it by its place on an American keyboard, as the user's layout has it: on
/// a French one Ctrl+A is where the A is.
inline int layout_key(int key, int scancode) {
    const char* sign = key >= 0 && key < GLFW_KEY_ESCAPE ? glfwGetKeyName(key, scancode) : nullptr;
    return sign ? key_of_layout(key, sign) : key;
}

}  // namespace glassformer::app
