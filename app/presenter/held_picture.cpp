#include "app/presenter/held_picture.h"

#include <epoxy/gl.h>

#include <array>
#include <utility>

namespace glassformer::app {

HeldPicture::~HeldPicture() { forget_fence(); }

void HeldPicture::make(unsigned shrink_filter) {
    if (!texture_) texture_ = std::make_unique<PictureTexture>(shrink_filter);
}

void HeldPicture::forget_fence() {
    if (taken_) glDeleteSync(static_cast<GLsync>(std::exchange(taken_, nullptr)));
}

void HeldPicture::take_now() {
    make(GL_LINEAR_MIPMAP_LINEAR);
    copy_target();
    glGenerateMipmap(GL_TEXTURE_2D);
    forget_fence();
    taken_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();  // or the fence would never be reached
}

void HeldPicture::await() {
    if (taken_) glWaitSync(static_cast<GLsync>(taken_), 0, GL_TIMEOUT_IGNORED);
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
    glBindTexture(GL_TEXTURE_2D, texture_->name());
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, view[0], view[1], view[2], view[3], 0);
}

}  // namespace glassformer::app
