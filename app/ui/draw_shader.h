#pragma once

namespace glassformer::app {

/// A shader of shaders/draw, compiled. `kind` is OpenGL's. Throws Error with what the compiler says.
unsigned compiled_draw_shader(unsigned kind, const char* path);

/// Sets a matrix of the current program, so that it draws as ImGui does: pixels, from the top left corner of the frame
/// that is drawn.
void set_projection(int place);

}  // namespace glassformer::app
