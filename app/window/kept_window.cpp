#include "app/window/kept_window.h"

#include <epoxy/gl.h>

#include <utility>

namespace glassformer::app {

KeptWindow::~KeptWindow() {
    glDeleteFramebuffers(1, &framebuffer_);  // 0 is none
    glDeleteRenderbuffers(1, &colours_);
}

bool KeptWindow::make(int width, int height) {
    if (!framebuffer_) glGenFramebuffers(1, &framebuffer_), glGenRenderbuffers(1, &colours_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glBindRenderbuffer(GL_RENDERBUFFER, colours_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours_);
    width_ = width, height_ = height, drawn_ = false;
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool KeptWindow::begin(int width, int height) {
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target_);
    if (width != width_ || height != height_) there_ = make(width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, there_ ? framebuffer_ : static_cast<GLuint>(target_));
    return std::exchange(drawn_, true) && there_;
}

void KeptWindow::clear(std::span<const ImVec4> boxes) const {
    glEnable(GL_SCISSOR_TEST);
    for (const ImVec4& box : boxes) {
        const auto left = static_cast<GLint>(box.x), bottom = height_ - static_cast<GLint>(box.w);
        glScissor(left, bottom, static_cast<GLint>(box.z) - left, static_cast<GLint>(box.w - box.y));
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
}

void KeptWindow::show() {
    if (!there_) return;
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(target_));
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(target_));
}

}  // namespace glassformer::app
