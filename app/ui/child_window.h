#pragma once

#include <optional>

#include "app/ui/box.h"
#include "app/ui/controls.h"

namespace glassformer::app {

/// Scrolls the current window as a finger asked for this frame (Items::scroll()). Its scroll bars are dragged.
void follow_finger(Items& items);

/// A window inside the current one: it clips what is drawn in it, and what it covers gets no mouse. Made and ended as a
/// scope. Where the whole content's size is known or found while drawing, ScrollArea and ScrollPage are simpler.
class ChildWindow {
public:
    enum class Kind : std::uint8_t {
        scrolls,           ///< down, as far as its content reaches
        scrolls_sideways,  ///< to the right, too
        overlay,           ///< over the panels and their scrolling parts
        mouse_through      ///< the same, and the mouse goes through it
    };

    ChildWindow(const Ui& ui, const char* id, const Box& box, Kind kind, ImGuiWindowFlags more = 0);
    ~ChildWindow();
    ChildWindow(const ChildWindow&) = delete;
    ChildWindow& operator=(const ChildWindow&) = delete;

    /// Where the content begins: it moves with scrolling.
    ImVec2 start() const { return start_; }
    /// How far the content goes, so that ImGui knows how far to scroll.
    void reaches(ImVec2 corner) { corner_ = corner; }
    /// Where the items made in it are seen, if that is less than its box.
    void seen_in(const Box& box) { box_ = box; }
    /// Brings an item that was made in it into sight.
    void scroll_to(std::string_view label) const;

private:
    void pass_wheel_on() const;

    const Ui& ui_;
    Box box_;
    Kind kind_;
    ImVec2 start_;
    std::optional<ImVec2> corner_;
    std::size_t first_item_;
};

}  // namespace glassformer::app
