#pragma once

#include <optional>

#include "app/ui/child_window.h"

namespace glassformer::app {

/// A region that scrolls when its content is higher than its box (a small window, large text). Draw from content().min;
/// content() is as wide as the box, less the scroll bar where there is one. When all fits, nothing is clipped and there
/// is no window of its own. Made and ended as a scope.
class ScrollArea {
public:
    ScrollArea(const Ui& ui, const char* id, const Box& box, float content_height);

    const Box& content() const { return content_; }

private:
    Box content_;
    std::optional<ChildWindow> window_;  // where not all fits
};

}  // namespace glassformer::app
