#include <epoxy/gl.h>

#include <cstdint>

#include "app/ui/picture_texture.h"

namespace glassformer::app {

TexturePixels read_texture(ImTextureID texture) {
    TexturePixels read;
    GLint filter = 0;
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>((std::intptr_t)texture));
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &read.width);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &read.height);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &filter);
    read.smooth = filter == GL_LINEAR;
    std::vector<std::uint8_t> rgba(static_cast<std::size_t>(read.width) * static_cast<std::size_t>(read.height) * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    for (std::size_t i = 0; i < rgba.size(); i += 4)
        read.pixels.push_back(IM_COL32(rgba[i], rgba[i + 1], rgba[i + 2], rgba[i + 3]));
    return read;
}

}  // namespace glassformer::app
