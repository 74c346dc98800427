#include "app/ui/picture_texture.h"

#include <epoxy/gl.h>

#include <cstdint>
#include <vector>

namespace glassformer::app {

PictureTexture::PictureTexture(unsigned shrink_filter) {
    glGenTextures(1, &name_);
    glBindTexture(GL_TEXTURE_2D, name_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(shrink_filter));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTexParameteri(GL_TEXTURE_2D, side, GL_CLAMP_TO_EDGE);
}

PictureTexture::PictureTexture(const PngPicture& picture) : PictureTexture(GL_LINEAR_MIPMAP_LINEAR) {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture.width, picture.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 picture.rgba.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
}

PictureTexture::~PictureTexture() { glDeleteTextures(1, &name_); }

ImTextureID PictureTexture::id() const { return (ImTextureID)(std::intptr_t)name_; }

}  // namespace glassformer::app
