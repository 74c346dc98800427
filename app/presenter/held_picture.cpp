#include "app/presenter/held_picture.h"

#include <epoxy/gl.h>

#include <array>
#include <cstdint>

namespace glassformer::app {

HeldPicture::~HeldPicture() {
    if (texture_) glDeleteTextures(1, &texture_);
}

ImTextureID HeldPicture::texture() const { return (ImTextureID)(std::intptr_t)texture_; }

void HeldPicture::take(ImDrawList& list) {
    if (!texture_) {
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
            glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
        for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
            glTexParameteri(GL_TEXTURE_2D, side, GL_CLAMP_TO_EDGE);
    }
    list.AddCallback(copy, this);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void HeldPicture::copy(const ImDrawList*, const ImDrawCmd* command) {
    const auto& held = *static_cast<const HeldPicture*>(command->UserCallbackData);
    std::array<GLint, 4> view{};
    glGetIntegerv(GL_VIEWPORT, view.data());
    glBindTexture(GL_TEXTURE_2D, held.texture_);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, view[0], view[1], view[2], view[3], 0);
}

}  // namespace glassformer::app
