#pragma once

#include <imgui.h>

#include <algorithm>

namespace glassformer::app {

/// A box on screen, in pixels, and its parts, so that a layout says what is where.
struct Box {
    ImVec2 min, max;

    static Box around(ImVec2 centre, float reach) {
        return {{centre.x - reach, centre.y - reach}, {centre.x + reach, centre.y + reach}};
    }

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
    ImVec2 size() const { return {width(), height()}; }
    float middle_x() const { return (min.x + max.x) / 2; }
    float middle_y() const { return (min.y + max.y) / 2; }
    ImVec2 centre() const { return {middle_x(), middle_y()}; }
    bool contains(ImVec2 at) const { return at.x >= min.x && at.y >= min.y && at.x < max.x && at.y < max.y; }

    // What lies on one side of a line through it, or between two.
    Box above(float y) const { return {min, {max.x, y}}; }
    Box below(float y) const { return {{min.x, y}, max}; }
    Box left_of(float x) const { return {min, {x, max.y}}; }
    Box right_of(float x) const { return {{x, min.y}, max}; }
    Box between_x(float left, float right) const { return {{left, min.y}, {right, max.y}}; }
    Box between_y(float top, float bottom) const { return {{min.x, top}, {max.x, bottom}}; }

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

    // Part `index` of `count` equal ones.
    Box column(int index, int count, float gap = 0) const {
        const float wide = (width() - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
        const float x = min.x + static_cast<float>(index) * (wide + gap);
        return between_x(x, x + wide);
    }
    Box row(int index, int count, float gap = 0) const {
        const float high = (height() - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
        const float y = min.y + static_cast<float>(index) * (high + gap);
        return between_y(y, y + high);
    }
};

}  // namespace glassformer::app
