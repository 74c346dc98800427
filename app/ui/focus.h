#pragma once

#include <imgui.h>

#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/typed_field.h"

namespace glassformer::app {

/// Keyboard focus over our own controls. The app says when to move (the arrows and Tab belong to the model, so F6 and
/// Shift+F6 are free for this); controls register as they are drawn, in drawing order.
class Focus {
public:
    void begin_frame();
    /// Registers a control; true when it holds the focus (draw the ring).
    bool offer(ImGuiID id);
    /// The control that click_area registered under `label`.
    bool offer(std::string_view label) { return offer(ImGui::GetID(label.data(), label.data() + label.size())); }
    /// True in the one frame in which the focused control `id` was activated from the keyboard.
    bool activated(ImGuiID id) const { return id == current_ && activate_; }

    void move(int step);  ///< to the next (+1) or the previous (-1) control
    void activate() { activate_next_ = true; }
    void clear() { current_ = 0; }
    bool any() const { return current_ != 0; }

    /// The next text field to be drawn is typed into, as if it were clicked.
    void enter_field() { enter_field_ = true; }
    bool take_entry() { return std::exchange(enter_field_, false); }
    TypedField& typed() { return typed_; }

private:
    ImGuiID current_ = 0;
    bool activate_ = false, activate_next_ = false, enter_field_ = false;
    std::vector<ImGuiID> order_, previous_order_;
    TypedField typed_;
};

}  // namespace glassformer::app
