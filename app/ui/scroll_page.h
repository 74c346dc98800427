#pragma once

#include "app/ui/child_window.h"

namespace glassformer::app {

/// The room of a sentence's view: a region that scrolls as far as what was drawn in it reaches, down and, where the
/// view says so, to the right. Draw from inside().min, then call reaches(). Made and ended as a scope.
class ScrollPage {
public:
    /// `wide`: the width that the content needs, in pixels; 0 or less than there is: no scrolling to the right.
    ScrollPage(const Ui& ui, const char* id, const Box& box, float wide = 0);
    ~ScrollPage();

    /// Moves with scrolling; at least as wide as the room.
    const Box& inside() const { return inside_; }
    /// The part of the width that is seen: what must not scroll to the right stands from seen_left() to seen_right().
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
