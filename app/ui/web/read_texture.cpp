#include <emscripten.h>
#include <epoxy/gl.h>

#include <cstdint>

#include "app/ui/picture_texture.h"

// WebGL 2 does not say how large a texture is: window/web notes it when it is made.
// clang-format off
EM_JS(int, glassformer_texture_side, (unsigned name, int axis), {
    const texture = GL.textures[name];
    return (texture && texture.glassformerSize && texture.glassformerSize[axis]) || 0;
});
// clang-format on

namespace glassformer::app {

TexturePixels read_texture(ImTextureID texture) {
    const auto name = static_cast<GLuint>((std::intptr_t)texture);
    TexturePixels read{glassformer_texture_side(name, 0), glassformer_texture_side(name, 1), false, {}};
    GLint filter = 0, before = 0;
    glBindTexture(GL_TEXTURE_2D, name);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &filter);
    glBindTexture(GL_TEXTURE_2D, 0);
    read.smooth = filter == GL_LINEAR;
    std::vector<std::uint8_t> rgba(static_cast<std::size_t>(read.width) * static_cast<std::size_t>(read.height) * 4);
    unsigned framebuffer = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, read.width, read.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before));
    glDeleteFramebuffers(1, &framebuffer);
    for (std::size_t i = 0; i < rgba.size(); i += 4)
        read.pixels.push_back(IM_COL32(rgba[i], rgba[i + 1], rgba[i + 2], rgba[i + 3]));
    return read;
}

}  // namespace glassformer::app
