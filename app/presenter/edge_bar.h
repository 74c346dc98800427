#pragma once

#include <functional>

#include "app/common/frame.h"

namespace glassformer::app {

enum class Edge { top, left, right, bottom };

/// A panel that waits outside of the screen and slides in over it when the pointer touches its edge. It goes when the
/// pointer has left it, unless one of its lists is open. The edge is the item "edge/<name>".
class EdgeBar {
public:
    EdgeBar(Edge edge, const char* name) : edge_(edge), name_(name) {}

    /// `extent`: how far it reaches in, in pixels. `held`: it stays in. `wanted`: whether the pointer may call it.
    void draw(const Frame& frame, const Box& screen, float extent, bool held, bool wanted,
              const std::function<void(const Box&)>& content);
    /// Sends it away, even from under the pointer.
    void dismiss() { dismissed_ = true; }
    bool moving() const { return moving_; }
    /// How much of it is in: 0 to 1.
    float shown() const { return shown_; }

private:
    Box place(const Box& screen, float extent, float shown) const;
    Box strip(const Ui& ui, const Box& screen) const;
    void move(const Ui& ui, bool in);

    Edge edge_;
    const char* name_;
    float shown_ = 0;
    bool moving_ = false, dismissed_ = false;
};

}  // namespace glassformer::app
