#include "app/ui/picture_texture.h"

#include <epoxy/gl.h>

#include <cstdint>
#include <vector>

#include "app/ui/imgui_versions.h"

namespace glassformer::app {

unsigned new_texture(unsigned shrink_filter, unsigned enlarge_filter) {
    unsigned texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(shrink_filter));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(enlarge_filter));
    for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTexParameteri(GL_TEXTURE_2D, side, GL_CLAMP_TO_EDGE);
    return texture;
}

PictureTexture::PictureTexture(unsigned shrink_filter) : name_(new_texture(shrink_filter, GL_LINEAR)) {}

PictureTexture::PictureTexture(const PngPicture& picture) : PictureTexture(GL_LINEAR_MIPMAP_LINEAR) {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture.width, picture.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 picture.rgba.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
}

PictureTexture::~PictureTexture() { glDeleteTextures(1, &name_); }

ImTextureID PictureTexture::id() const { return texture_id(name_); }

TextureReading::TextureReading(unsigned texture) {
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before_);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
}

TextureReading::~TextureReading() {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before_));
    glDeleteFramebuffers(1, &framebuffer_);
}

TexturePixels read_texture(ImTextureID id) {
    const unsigned texture = texture_name(id);
    GLint filter = 0;
    glBindTexture(GL_TEXTURE_2D, texture);
    const auto [width, height] = texture_size(texture);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &filter);
    glBindTexture(GL_TEXTURE_2D, 0);
    TexturePixels read{width, height, filter == GL_LINEAR, {}};
    std::vector<std::uint8_t> rgba(std::size_t{4} * width * height);
    const TextureReading reading(texture);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    for (std::size_t i = 0; i < rgba.size(); i += 4)
        read.pixels.push_back(IM_COL32(rgba[i], rgba[i + 1], rgba[i + 2], rgba[i + 3]));
    return read;
}

}  // namespace glassformer::app
