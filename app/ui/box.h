#pragma once

#include <imgui.h>

#include <algorithm>

#include "app/ui/numbers.h"

namespace glassformer::app {

/// A box on screen in pixels, with methods that return its parts, so that layout code reads as a description.
struct Box {
    ImVec2 min, max;

    static Box around(ImVec2 centre, float reach) { return around(centre, reach, reach); }
    static Box around(ImVec2 centre, float reach_x, float reach_y) {
        return {{centre.x - reach_x, centre.y - reach_y}, {centre.x + reach_x, centre.y + reach_y}};
    }
    static Box sized(ImVec2 corner, float wide, float high) { return {corner, {corner.x + wide, corner.y + high}}; }

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
    ImVec2 size() const { return {width(), height()}; }
    float middle_x() const { return (min.x + max.x) / 2; }
    float middle_y() const { return (min.y + max.y) / 2; }
    ImVec2 centre() const { return {middle_x(), middle_y()}; }
    bool operator==(const Box& o) const {
        return min.x == o.min.x && min.y == o.min.y && max.x == o.max.x && max.y == o.max.y;
    }
    bool empty() const { return max.x <= min.x || max.y <= min.y; }
    bool contains(ImVec2 at) const { return at.x >= min.x && at.y >= min.y && at.x < max.x && at.y < max.y; }
    bool meets(const Box& other) const {
        return min.x < other.max.x && max.x > other.min.x && min.y < other.max.y && max.y > other.min.y;
    }

    // The part on one side of a line through the box, or between two lines.
    Box above(float y) const { return {min, {max.x, y}}; }
    Box below(float y) const { return {{min.x, y}, max}; }
    Box left_of(float x) const { return {min, {x, max.y}}; }
    Box right_of(float x) const { return {{x, min.y}, max}; }
    Box between_x(float left, float right) const { return {{left, min.y}, {right, max.y}}; }
    Box between_y(float top, float bottom) const { return {{min.x, top}, {max.x, bottom}}; }

    /// Returns the intersection of the two boxes.
    Box overlap(const Box& other) const {
        return {{std::max(min.x, other.min.x), std::max(min.y, other.min.y)},
                {std::min(max.x, other.max.x), std::min(max.y, other.max.y)}};
    }

    // A strip along one edge.
    Box top(float high) const { return above(min.y + high); }
    Box bottom(float high) const { return below(max.y - high); }
    Box left(float wide) const { return left_of(min.x + wide); }
    Box right(float wide) const { return right_of(max.x - wide); }

    Box inset(float x, float y) const { return {{min.x + x, min.y + y}, {max.x - x, max.y - y}}; }
    Box inset(float edge) const { return inset(edge, edge); }

    // Takes a strip off the top and returns it; `gap` more goes with it.
    Box cut_top(float high, float gap = 0) {
        const Box strip = top(high);
        min.y += high + gap;
        return strip;
    }

    // The same at the sides, for a bar whose controls are laid out one after another.
    Box cut_left(float wide, float gap = 0) {
        const Box strip = left(wide);
        min.x += wide + gap;
        return strip;
    }
    Box cut_right(float wide, float gap = 0) {
        const Box strip = right(wide);
        max.x -= wide + gap;
        return strip;
    }

    // Part `index` of `count` equal ones.
    Box column(int index, int count, float gap = 0) const {
        const float wide = (width() - gap * to_float(count - 1)) / to_float(count);
        const float x = min.x + to_float(index) * (wide + gap);
        return between_x(x, x + wide);
    }
    Box row(int index, int count, float gap = 0) const {
        const float high = (height() - gap * to_float(count - 1)) / to_float(count);
        const float y = min.y + to_float(index) * (high + gap);
        return between_y(y, y + high);
    }
};

/// The list's current clip rectangle: what is drawn now shows only inside it.
inline Box clip_box(const ImDrawList& list) { return {list.GetClipRectMin(), list.GetClipRectMax()}; }

/// The box of the current ImGui window.
inline Box window_box() {
    const ImVec2 size = ImGui::GetWindowSize();
    return Box::sized(ImGui::GetWindowPos(), size.x, size.y);
}

/// What identifies the current ImGui window if its content is larger than the window, so that it scrolls; else null.
inline const void* scrolling_window() {
    return ImGui::GetScrollMaxX() > 0 || ImGui::GetScrollMaxY() > 0 ? ImGui::GetWindowDrawList() : nullptr;
}

}  // namespace glassformer::app
