#pragma once

#include <imgui.h>

#include <cstddef>
#include <string>
#include <vector>

namespace glassformer::app {

/// The text field that is typed into, and what can be undone in it. There is one at a time.
struct TypedField {
    enum class Change { none, typed, erased, other };
    struct Before {
        std::string text;
        std::size_t caret = 0;
    };

    ImGuiID id = 0;                    ///< 0: none
    std::size_t caret = 0, other = 0;  ///< what is selected lies between them; bytes
    std::string first;                 ///< what Escape brings back
    float shift = 0;                   ///< of a text that is wider than the field
    bool dragging = false;
    bool begins = false;  ///< it was come to from another field, and knows nothing of its text yet
    double since = 0;     ///< when the caret last moved
    Change last = Change::none;
    std::vector<Before> undo, redo;
};

}  // namespace glassformer::app
