#pragma once

#include <imgui.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
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
    bool by_tab = false;  ///< it was entered from another field, and its text is not known yet
    double since = 0;     ///< when the caret last moved
    Change last = Change::none;
    std::vector<Before> undo, redo;
};

/// Which control has the keyboard, and which one a press of the mouse belongs to.
///
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
    /// A text field is drawn; they are walked in this order.
    void offer_field(ImGuiID id) { fields_.push_back(id); }
    /// From the field that is typed into to the next (+1) or the previous (-1) one, around all of them.
    void move_typing(int step);

    /// The mouse went down on a control. False where the press is not meant for it: the second press of a double click
    /// belongs to what got the first one, and to nothing that has come under the pointer since.
    bool pressed(ImGuiID id);
    /// The control that the last press was meant for.
    bool owns_press(ImGuiID id) const { return press_.on == id; }
    /// Whether the last two presses were meant for the same control, or both for none.
    bool doubles() const { return press_.on == press_before_.on; }
    /// A key or, with `clicks`, a press may have changed what is under the pointer, which has not moved since: nobody
    /// asks what that is.
    bool pointer_rests(bool clicks) const { return after_key_ || (clicks && after_press_); }

    /// A card lies over the window in this frame: the keys are the card's, and do not reach what was drawn so far.
    void cover();
    /// The same for what takes the place of the panels, under bars that keys still reach.
    void take_keys() { covers_ = true; }
    /// Whether one does, or did in the frame before.
    bool covered() const { return covers_ || covered_; }

private:
    struct Press {
        ImGuiID on = 0;
        ImVec2 at{0, 0};
        double time = 0;
        int frame = 0;
        bool left = true;  // the pointer has gone from there
    };
    void follow_pointer();

    ImGuiID current_ = 0;
    Press press_, press_before_;
    ImVec2 pointer_{-1e6f, -1e6f};
    bool after_key_ = false, after_press_ = false;
    bool activate_ = false, activate_next_ = false, enter_field_ = false, covers_ = false, covered_ = false;
    std::size_t below_ = 0, below_before_ = 0;  // how many of order_ a card covers
    std::vector<ImGuiID> order_, previous_order_, fields_, previous_fields_;
    TypedField typed_;
};

}  // namespace glassformer::app
