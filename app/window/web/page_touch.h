#pragma once

#include <imgui.h>

#include <array>

namespace glassformer::app {

class PageInput;

/// Turns touches into mouse input: a tap clicks, a long press is a right click, two fingers turn the wheel, which zooms
/// or scrolls. One moving finger scrolls, or drags if nothing scrolls there.
class PageTouch {
public:
    explicit PageTouch(PageInput& input);
    ~PageTouch();
    PageTouch(const PageTouch&) = delete;
    PageTouch& operator=(const PageTouch&) = delete;

    /// Call this once per frame: a finger may have rested long enough for a long press.
    void look();

    // Called by the page with the fingers now on the canvas, in canvas pixels.
    void touches(const ImVec2* fingers, int count);
    void give_up();

private:
    enum class Does { nothing, waits, drags, scrolls, over, pinches };

    PageInput& input_;
    Does does_ = Does::nothing;
    ImVec2 first_{};                   // where the finger touched down
    double since_ = 0;                 // milliseconds
    const void* scrolled_ = nullptr;   // the window that a finger scrolls
    std::array<ImVec2, 2> fingers_{};  // the last positions of two fingers
};

}  // namespace glassformer::app
