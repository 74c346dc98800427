#pragma once

#include "app/ui/ui.h"

namespace glassformer::app {

/// A card that opens over everything, near what was clicked and inside the screen, and closes on a click beside it.
/// Made and ended as a scope, in each frame in which it may be open.
class PopupCard {
public:
    enum class Side { above, below };

    /// It opens after ImGui::OpenPopup(id). `corner` is the left end of the edge of what was clicked on that side.
    /// `size` is that of the content: a smaller screen cuts it, and what is lower scrolls.
    PopupCard(const Ui& ui, const char* id, ImVec2 corner, ImVec2 size, Side side);
    ~PopupCard();
    PopupCard(const PopupCard&) = delete;
    PopupCard& operator=(const PopupCard&) = delete;

    /// Where it is not open, nothing is to be drawn.
    explicit operator bool() const { return open_; }
    /// The room of the content; it moves with scrolling.
    const Box& inside() const { return inside_; }
    /// The most that the content can have on this screen.
    static float widest(const Ui& ui);

private:
    bool open_;
    Items* items_ = nullptr;
    size_t first_item_ = 0;
    Box inside_{};
};

}  // namespace glassformer::app
