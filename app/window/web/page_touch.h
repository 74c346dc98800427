#pragma once

#include <imgui.h>

#include <array>

namespace glassformer::app {

class PageInput;

/// Fingers as a mouse: a tap is a click, a finger that moves drags, one that rests is the right click, two turn the
/// wheel: they scroll, and zoom where the wheel zooms.
class PageTouch {
public:
    explicit PageTouch(PageInput& input);
    ~PageTouch();
    PageTouch(const PageTouch&) = delete;
    PageTouch& operator=(const PageTouch&) = delete;

    /// Once a frame: a finger may have rested for long enough.
    void look();

    // Called by the page: the fingers that touch the canvas now, in its pixels.
    void touches(const ImVec2* fingers, int count);
    void give_up();

private:
    enum class Does { nothing, waits, drags, over, pinches };

    PageInput& input_;
    Does does_ = Does::nothing;
    ImVec2 first_{};                   // where the finger came down
    double since_ = 0;                 // milliseconds
    std::array<ImVec2, 2> fingers_{};  // of two, when last seen
};

}  // namespace glassformer::app
