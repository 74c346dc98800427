#pragma once

#include <optional>

#include "app/ui/child_window.h"

namespace glassformer::app {

/// A region that scrolls if its content is higher than its box (a small window, large text). Draw from content().min;
/// content() is as wide as the box, less the scroll bar if there is one. If everything fits, nothing is clipped and no
/// window is created. RAII: the scope of the object is the region.
class ScrollArea {
public:
    ScrollArea(const Ui& ui, const char* id, const Box& box, float content_height);

    const Box& content() const { return content_; }

private:
    Box content_;
    std::optional<ChildWindow> window_;  // only if not everything fits
};

}  // namespace glassformer::app
