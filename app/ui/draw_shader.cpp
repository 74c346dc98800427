#include "app/ui/draw_shader.h"

#include <epoxy/gl.h>
#include <imgui.h>

#include <string>

#include "core/backend/gl/shader_text.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

/// Of the oldest OpenGL that the window opens with.
int glsl_version() { return epoxy_is_desktop_gl() ? 330 : gl::glsl_es; }

}  // namespace

unsigned compiled_draw_shader(unsigned kind, const char* path) {
    const gl::ShaderText text = gl::shader_text(path, {}, glsl_version());
    const unsigned shader = glCreateShader(kind);
    const char* source = text.text.c_str();
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    char log[4096] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    glDeleteShader(shader);
    throw Error("the shader {1} does not compile here:\n{2}", path, gl::readable_log(log, text.files));
}

void set_projection(int place) {
    const ImDrawData& data = *ImGui::GetDrawData();
    const float left = data.DisplayPos.x, top = data.DisplayPos.y, width = data.DisplaySize.x,
                height = data.DisplaySize.y;
    const float matrix[] = {
        2 / width, 0, 0, 0, 0, -2 / height, 0, 0, 0, 0, -1, 0, -(2 * left + width) / width, (2 * top + height) / height,
        0,         1};
    glUniformMatrix4fv(place, 1, GL_FALSE, matrix);
}

}  // namespace glassformer::app
