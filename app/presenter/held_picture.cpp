#include "app/presenter/held_picture.h"

#include <epoxy/gl.h>

#include <array>
#include <cstdint>

namespace glassformer::app {

HeldPicture::~HeldPicture() {
    if (texture_) glDeleteTextures(1, &texture_);
}

ImTextureID HeldPicture::texture() const { return (ImTextureID)(std::intptr_t)texture_; }

void HeldPicture::make(unsigned shrink_filter) {
    if (texture_) return;
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(shrink_filter));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTexParameteri(GL_TEXTURE_2D, side, GL_CLAMP_TO_EDGE);
}

void HeldPicture::take_now() {
    make(GL_LINEAR_MIPMAP_LINEAR);
    copy_target();
    glGenerateMipmap(GL_TEXTURE_2D);
    glFinish();  // another context draws it
}

void HeldPicture::take(ImDrawList& list) {
    make(GL_LINEAR);
    list.AddCallback(copy, this);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void HeldPicture::copy(const ImDrawList*, const ImDrawCmd* command) {
    static_cast<const HeldPicture*>(command->UserCallbackData)->copy_target();
}

void HeldPicture::copy_target() const {
    std::array<GLint, 4> view{};
    glGetIntegerv(GL_VIEWPORT, view.data());
    glBindTexture(GL_TEXTURE_2D, texture_);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, view[0], view[1], view[2], view[3], 0);
}

}  // namespace glassformer::app
