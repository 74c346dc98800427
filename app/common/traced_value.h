#pragma once

#include <span>
#include <string_view>

#include "app/common/frame.h"

/// How a traced number behaves wherever it is in a sentence's card: hovering names it and highlights it in other views,
/// a click opens its explanation, and it has a gold frame while it is explained or hovered.
namespace glassformer::app {

/// What the mouse does to a value in this frame.
struct ValueUse {
    bool hovered = false, clicked = false;
};

/// True if this cell is the one explained, or the one under the mouse in any view.
bool is_lit(const ViewState& state, int slot, const Cell& cell);

/// Handles the mouse on one cell: tooltip, ViewState::hovering, and on a click the explanation. The tooltip's first
/// line is `title`, or the cell's name and value.
void point_at(const Frame& frame, int slot, const Cell& cell, bool clicked, std::string_view title = {});

/// A single number's area, registered as `label`.
ValueUse traced_value(const Frame& frame, int slot, const Cell& cell, std::string_view label, const Box& box);

/// The cell to open for a number computed from a whole row of a node, such as a norm: the row's value of largest
/// magnitude; for a parameter, the largest of all.
Cell largest_cell(const Trace& trace, int node, int position);

/// A strip of consecutive signed values, starting at `first`.
struct TracedStrip {
    Cell first;
    std::span<const float> values;
    float range = 1;  ///< |value| of the full colour
    float faded = 1;
};
/// Cell i is registered as "label i", the strip as `label`.
void traced_strip(const Frame& frame, int slot, const TracedStrip& strip, std::string_view label, const Box& box);

}  // namespace glassformer::app
