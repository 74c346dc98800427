#pragma once

namespace glassformer::app {

/// Dear ImGui 1.92 unloads the OpenGL library when any of its contexts is destroyed, yet still calls it for other and
/// later contexts. This keeps the loaded libraries in memory.
void keep_opengl_loaded();

}  // namespace glassformer::app
