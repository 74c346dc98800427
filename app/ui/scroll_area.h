#pragma once

#include "app/ui/box.h"
#include "app/ui/controls.h"

namespace glassformer::app {

/// A region that scrolls when its content is higher than its box (a small window, large text). Draw from content().min;
/// content() is as wide as the box, less the scroll bar where there is one. When all fits, nothing is clipped and there
/// is no window of its own. Made and ended as a scope.
class ScrollArea {
public:
    ScrollArea(const Ui& ui, const char* id, const Box& box, float content_height);
    ~ScrollArea();
    ScrollArea(const ScrollArea&) = delete;
    ScrollArea& operator=(const ScrollArea&) = delete;

    const Box& content() const { return content_; }

private:
    const Ui& ui_;
    Box box_, content_;
    std::size_t first_item_;
    bool scrolls_;
};

/// In a scrolling ImGui window, before it ends: brings an item into sight, where it is one of those from `first_item`
/// on and outside of the box.
void scroll_to(const Ui& ui, const Box& box, std::size_t first_item, std::string_view label);
/// The same for ui.reveal; and says that these items scroll in the box (Items::scroll_in()).
void scroll_to_revealed(const Ui& ui, const Box& box, std::size_t first_item);

}  // namespace glassformer::app
