#pragma once

#include "app/ui/child_window.h"

namespace glassformer::app {

/// The area of a sentence's view: a region that scrolls as far as its content reaches, vertically and, if the view asks
/// for it, horizontally. Draw from inside().min, then call reaches(). RAII: the scope of the object is the region.
class ScrollPage {
public:
    /// `wide`: the width that the content needs, in pixels; if it fits or is 0, there is no horizontal scrolling.
    ScrollPage(const Ui& ui, const char* id, const Box& box, float wide = 0);
    ~ScrollPage();

    /// Moves with scrolling; at least as wide as the visible area.
    const Box& inside() const { return inside_; }
    /// The visible part of the width: what must not scroll horizontally lies between seen_left() and seen_right().
    float seen_left() const { return seen_left_; }
    float seen_right() const { return seen_right_; }
    void reaches(float bottom) { bottom_ = bottom; }

private:
    const Ui& ui_;
    ChildWindow window_;
    Box inside_;
    float seen_left_, seen_right_, bottom_;
};

}  // namespace glassformer::app
