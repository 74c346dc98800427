#pragma once

#include <span>
#include <string_view>

#include "app/common/frame.h"

/// How a number of a trace behaves wherever it is in a sentence's card: it says its name under the mouse, lights up
/// in other views, opens its explanation on a click, and wears gold while it is the one explained or pointed at.
namespace glassformer::app {

/// What the mouse does to a value in this frame.
struct ValueUse {
    bool hovered = false, clicked = false;
};

/// True when this cell is the one explained, or the one under the mouse in any view.
bool is_lit(const ViewState& state, int slot, const Cell& cell);

/// Takes the mouse for one cell: tooltip, ViewState::hovering, and the explanation when it was clicked. The tooltip's
/// first line is `title`, or the cell's name and value.
void point_at(const Frame& frame, int slot, const Cell& cell, bool clicked, std::string_view title = {});

/// A single number's area, registered as `label`.
ValueUse traced_value(const Frame& frame, int slot, const Cell& cell, std::string_view label, const Box& box);

/// What a number made of a whole row of a node opens, such as a norm: the row's largest value in size, at the position;
/// of a parameter, the largest of all.
Cell largest_cell(const Trace& trace, int node, int position);

/// A strip of signed values that lie one after the other from `first` on.
struct TracedStrip {
    Cell first;
    std::span<const float> values;
    float range = 1;  ///< |value| of the full colour
    float faded = 1;
};
/// Cell i is registered as "label i", the strip as `label`.
void traced_strip(const Frame& frame, int slot, const TracedStrip& strip, std::string_view label, const Box& box);

}  // namespace glassformer::app
