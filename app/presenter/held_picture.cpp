#include "app/presenter/held_picture.h"

#include <epoxy/gl.h>

#include <array>
#include <utility>

namespace glassformer::app {

HeldPicture::~HeldPicture() { forget_fence(); }

void HeldPicture::make() {
    if (!texture_)
        texture_ = std::make_unique<PictureTexture>(shown_ == Shown::small ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
}

void HeldPicture::forget_fence() {
    if (taken_) glDeleteSync(static_cast<GLsync>(std::exchange(taken_, nullptr)));
}

void HeldPicture::take_now() {
    make();
    copy_target();
}

void HeldPicture::await() {
    if (taken_) glWaitSync(static_cast<GLsync>(taken_), 0, GL_TIMEOUT_IGNORED);
}

void HeldPicture::take(ImDrawList& list) {
    make();
    list.AddCallback(copy, this);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void HeldPicture::copy(const ImDrawList*, const ImDrawCmd* command) {
    static_cast<HeldPicture*>(command->UserCallbackData)->copy_target();
}

void HeldPicture::copy_target() {
    std::array<GLint, 4> view{};
    glGetIntegerv(GL_VIEWPORT, view.data());
    glBindTexture(GL_TEXTURE_2D, texture_->name());
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, view[0], view[1], view[2], view[3], 0);
    there_ = true;
    if (shown_ != Shown::small) return;
    glGenerateMipmap(GL_TEXTURE_2D);
    forget_fence();
    taken_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();  // otherwise the fence might never be reached
}

}  // namespace glassformer::app
