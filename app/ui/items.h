#pragma once

#include <imgui.h>

#include <cstdarg>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/ui/box.h"

namespace glassformer::app {

/// An item's value: a number shown on the screen or, with item_state(), the state of a control.
struct ItemValue {
    ItemValue() = default;
    ItemValue(std::nullopt_t) {}
    template <class Number>
    requires std::is_arithmetic_v<Number> ItemValue(Number shown) : value(static_cast<double>(shown)) {}
    ItemValue(std::optional<double> shown) : value(shown) {}

    std::optional<double> value;
    bool is_state = false;
};

/// Marks a value as a control's state: the selected choice, a number of rows, a slider's position. It is for scripts,
/// lessons and tests; a panel's table of numbers leaves it out.
inline ItemValue item_state(ItemValue state) {
    state.is_state = true;
    return state;
}

/// Something on screen that can be referred to: a chip, a cell, a number. The string views are valid for one frame.
struct Item : Box {
    std::string_view label;  ///< unique in a frame, e.g. "pattern[bat → foul]"
    std::optional<double> value;
    std::string_view text;        ///< the text shown, if it is not the label
    bool value_is_state = false;  ///< the value is a control's state (item_state()), not a number on the screen
    bool in_sight = true;         ///< its centre is not clipped, e.g. scrolled out of view
    int area = -1;                ///< the innermost of Items::areas() that contains it; −1: none
    Box clickable{};              ///< the visible part, if a click on it does something; else empty
    bool draggable = false;       ///< a drag on it does something
};

/// A part of the screen that scrolls: the items in it are visible only inside its box.
struct ScrolledArea : Box {
    int outer = -1;                ///< the area that contains this one; −1: none
    const void* window = nullptr;  ///< its ImGui window (scrolling_window()); null if all of its content is visible
};

/// Splits the labels of several items named together: "A/pattern + A/token 3".
std::vector<std::string_view> joined_labels(std::string_view labels);

/// What is on screen in this frame, by name. Views register items as they draw; scripts, tests and lessons look them
/// up, so "click this" and "look here" never hold a pixel position. Once warm, add() allocates nothing.
class Items {
public:
    /// Forgets the last frame and invalidates every string_view returned so far.
    void begin_frame();

    /// Registers an item; `label` and `text` are copied. An empty label registers nothing.
    void add(std::string_view label, const Box& box, const ItemValue& value = {}, std::string_view text = {});

    /// printf into this frame's memory: a label without an allocation. It is null-terminated, so data() is a C string.
    std::string_view format(const char* format, ...) IM_FMTARGS(2);
    /// The label of something in card 0 or 1: "A/" or "B/" followed by the printf output.
    std::string_view of_card(int card, const char* format, ...) IM_FMTARGS(3);
    /// Concatenates texts, such as label, "/" and choice, in this frame's memory.
    std::string_view join(std::initializer_list<std::string_view> parts);
    /// add() with a printf label.
    void addf(const Box& box, const ItemValue& value, const char* format, ...) IM_FMTARGS(4);

    /// The item called `label`, or null. If several are, the last one registered wins (a popup over a page).
    const Item* find(std::string_view label) const;
    const std::vector<Item>& all() const { return items_; }

    /// Marks the item added last as clickable, or as draggable, too.
    void make_clickable();
    void make_draggable() { items_.back().draggable = true; }
    /// Says that all items from index `first` on lie on a card, such as a popup, that covers the items before them.
    /// `window` is its ImGui window if that scrolls. Call this when the card ends, inner cards first.
    void cover(size_t first, const Box& box, const void* window = nullptr) {
        cards_.push_back({box, first, items_.size(), window});
    }
    /// Returns where a finger that touches the screen at `at` means to click: the nearest point of the nearest
    /// clickable item on the same card within `reach` pixels, or `at` itself if that already lies on one or none is
    /// near.
    ImVec2 click_target(ImVec2 at, float reach) const;
    /// Says that a scroll bar of the item added last is there: a finger drags it like a mouse.
    void scroll_bar(const Box& box) {
        if (!items_.empty()) bars_.push_back({box, items_.size() - 1});
    }
    /// Returns the window that a finger scrolls if it moves from `at`, the innermost one that scrolls; null if there is
    /// none, or if a scroll bar or something draggable is there.
    const void* scrolled_from(ImVec2 at) const;
    /// Asks that window to scroll by so many pixels in the next frame (follow_finger()).
    void scroll(const void* window, ImVec2 pixels);
    /// Returns what scroll() asked of that window for this frame.
    ImVec2 asked_scroll(const void* window) const { return window == scroll_.window ? scroll_.pixels : ImVec2{}; }

    /// Says that a scrolled area has reached its end, and the wheel still turns: what is around it may follow.
    void pass_wheel(float lines) { passed_wheel_ = lines; }
    /// Returns what inner areas have passed on in this frame, once.
    float take_wheel() { return std::exchange(passed_wheel_, 0.0f); }
    /// Says that what is under the mouse takes the wheel, to zoom: from the next frame on nothing around it scrolls.
    /// Call this in every frame in which it is so.
    void keep_wheel() { keeps_wheel_ = true; }
    /// True if the last frame said so.
    bool wheel_is_kept() const { return kept_wheel_; }

    /// Says that all items from index `first` on lie in an area with scroll bars. `window` is its ImGui window if that
    /// scrolls. Call this when the area ends, inner areas first.
    void scroll_in(size_t first, const Box& box, const void* window = nullptr);
    const std::vector<ScrolledArea>& areas() const { return areas_; }

    /// A text as it was drawn, and whether it was truncated to fit.
    struct DrawnText {
        std::string_view text;
        bool cut = false;
        ImVec2 at{};           ///< where its first line begins
        bool in_sight = true;  ///< `at` is not clipped
    };
    /// Keeps every text drawn from the next frame on: for the search for untranslated texts, and for a lesson's answers
    /// that a text gives away.
    void keep_texts(bool keep) { keep_texts_ = keep; }
    void drew(std::string_view text, ImVec2 at, bool cut = false);
    const std::vector<DrawnText>& texts() const { return texts_; }

private:
    char* reserve(size_t bytes);
    std::string_view keep(std::string_view text);
    std::string_view print(const char* format, va_list arguments);

    struct Card : Box {
        size_t first, end;  ///< of the items on it
        const void* window = nullptr;
    };
    struct Scroll {
        const void* window = nullptr;
        ImVec2 pixels{};
    };
    struct Bar : Box {
        size_t item;  ///< one that it scrolls
    };
    bool on_scroll_bar(ImVec2 at) const;
    /// The topmost card at that point; null if none is there.
    const Card* top_card(ImVec2 at) const;
    /// True if the item lies on the card that is topmost at that point, or on none where there is none.
    bool on_top(size_t item, ImVec2 at) const;

    std::vector<Item> items_;
    std::vector<ScrolledArea> areas_;
    std::vector<Card> cards_;
    std::vector<Bar> bars_;
    Scroll scroll_, next_scroll_;
    float passed_wheel_ = 0;
    bool keeps_wheel_ = false, kept_wheel_ = false;
    std::vector<DrawnText> texts_;
    bool keep_texts_ = false;
    std::vector<std::unique_ptr<char[]>> blocks_;  // fixed size, so that views stay valid while it grows
    size_t block_ = 0, used_ = 0;
    std::vector<std::unique_ptr<char[]>> large_;  // strings longer than a block; freed each frame
};

}  // namespace glassformer::app
