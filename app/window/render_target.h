#pragma once

namespace glassformer::app {

/// A picture on the graphics card to draw into, bound when it is made. Needs a current OpenGL context whenever it is
/// used, and when it ends.
class RenderTarget {
public:
    RenderTarget(int width, int height);
    ~RenderTarget();
    RenderTarget(const RenderTarget&) = delete;
    RenderTarget& operator=(const RenderTarget&) = delete;

    int width() const { return width_; }
    int height() const { return height_; }
    /// Whether it can be drawn into: there may be no memory for it.
    bool complete() const { return complete_; }
    unsigned framebuffer() const { return framebuffer_; }

private:
    int width_, height_;
    unsigned framebuffer_ = 0, colours_ = 0;
    bool complete_ = false;
};

}  // namespace glassformer::app
