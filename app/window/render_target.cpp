#include "app/window/render_target.h"

#include <epoxy/gl.h>

namespace glassformer::app {

// No multisampling: ImGui's lines and fills have anti-aliased edges of their own.
RenderTarget::RenderTarget(int width, int height) : width_(width), height_(height) {
    glGenRenderbuffers(1, &colours_);
    glBindRenderbuffer(GL_RENDERBUFFER, colours_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours_);
    complete_ = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

RenderTarget::~RenderTarget() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &colours_);
}

}  // namespace glassformer::app
