#pragma once

namespace glassformer::app {

/// An offscreen framebuffer, bound on construction. Needs a current OpenGL context for every call and for the
/// destructor.
class RenderTarget {
public:
    RenderTarget(int width, int height);
    ~RenderTarget();
    RenderTarget(const RenderTarget&) = delete;
    RenderTarget& operator=(const RenderTarget&) = delete;

    int width() const { return width_; }
    int height() const { return height_; }
    /// False if it cannot be drawn into, for lack of memory say.
    bool complete() const { return complete_; }
    unsigned framebuffer() const { return framebuffer_; }

private:
    int width_, height_;
    unsigned framebuffer_ = 0, colours_ = 0;
    bool complete_ = false;
};

}  // namespace glassformer::app
