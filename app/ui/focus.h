#pragma once

#include <imgui.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glassformer::app {

/// The text field being edited, with its undo history. There is at most one.
struct TypedField {
    enum class Change { none, typed, erased, other };
    struct Before {
        std::string text;
        std::size_t caret = 0;
    };

    ImGuiID id = 0;                    ///< 0: none
    std::size_t caret = 0, other = 0;  ///< the selection lies between them; byte offsets
    std::string first;                 ///< the text that Escape restores
    float shift = 0;                   ///< horizontal scroll of a text wider than the field
    bool dragging = false;
    bool by_tab = false;  ///< entered from another field with Tab; its text is not known yet
    double since = 0;     ///< when the caret last moved, for its blinking
    Change last = Change::none;
    std::vector<Before> undo, redo;
};

/// Which control has the keyboard, and which one a mouse press belongs to.
///
/// Keyboard focus for the app's own controls. The app decides when it moves (the arrows and Tab belong to the model, so
/// F6 and Shift+F6 do this); controls register as they are drawn, in drawing order.
class Focus {
public:
    void begin_frame();
    /// Registers a control. Returns true if it has the focus (draw the ring).
    bool offer(ImGuiID id);
    /// Registers the control that click_area() drew under `label`.
    bool offer(std::string_view label) { return offer(ImGui::GetID(label.data(), label.data() + label.size())); }
    /// True only in the frame in which the focused control `id` is activated from the keyboard.
    bool activated(ImGuiID id) const { return id == current_ && activate_; }

    void move(int step);  ///< to the next (+1) or the previous (-1) control
    void activate() { activate_next_ = true; }
    void clear() { current_ = 0; }
    bool any() const { return current_ != 0; }

    /// Starts editing in the next text field to be drawn, as if it had been clicked.
    void enter_field() { enter_field_ = true; }
    bool take_entry() { return std::exchange(enter_field_, false); }
    TypedField& typed() { return typed_; }
    /// Registers a text field; Tab walks the fields in this order.
    void offer_field(ImGuiID id) { fields_.push_back(id); }
    /// Moves from the field being edited to the next (+1) or previous (-1) one, wrapping around.
    void move_typing(int step);

    /// Call this when the mouse goes down on a control. False if the press is not meant for it: the second press of a
    /// double click belongs to the control that got the first, not to one that has appeared since.
    bool pressed(ImGuiID id);
    /// True if the last press was meant for this control.
    bool owns_press(ImGuiID id) const { return press_.on == id; }
    /// True if the last two presses were meant for the same control, or both for none.
    bool doubles() const { return press_.on == press_before_.on; }
    /// True if a key or, with `clicks`, a press may have changed what is under the pointer, and the pointer has not
    /// moved since: the user is not asking what is there, so show no tooltip.
    bool pointer_rests(bool clicks) const { return after_key_ || (clicks && after_press_); }

    /// Call this when a card covers the window: keys belong to the card from here on, not to anything drawn so far.
    void cover();
    /// The same for something that replaces the panels, below bars that keys still reach.
    void take_keys() { covers_ = true; }
    /// True if something covers the window in this frame, or did in the last one.
    bool covered() const { return covers_ || covered_; }

private:
    struct Press {
        ImGuiID on = 0;
        ImVec2 at{0, 0};
        double time = 0;
        int frame = 0;
        bool left = true;  // the pointer has moved away since
    };
    void follow_pointer();

    ImGuiID current_ = 0;
    Press press_, press_before_;
    ImVec2 pointer_{-1e6f, -1e6f};
    bool after_key_ = false, after_press_ = false;
    bool activate_ = false, activate_next_ = false, enter_field_ = false, covers_ = false, covered_ = false;
    std::size_t below_ = 0, below_before_ = 0;  // how many entries of order_ a card covers
    std::vector<ImGuiID> order_, previous_order_, fields_, previous_fields_;
    TypedField typed_;
};

}  // namespace glassformer::app
