#pragma once

namespace glassformer::app {

/// Dear ImGui 1.92 unloads the OpenGL library when any of its contexts ends and then still calls it, for the others and
/// for those that begin later; so what is loaded stays.
void keep_opengl_loaded();

}  // namespace glassformer::app
