#pragma once

namespace glassformer::app {

/// Keeps some libraries in memory until the program ends. Dear ImGui 1.92 unloads the OpenGL library when any of its
/// contexts is destroyed, yet still calls it for other and later contexts. GLFW unloads the library for game pads when
/// the window closes, while a thread of the system may still run in it. Call this once they are loaded.
void keep_libraries_loaded();

}  // namespace glassformer::app
