#pragma once

#include "app/common/block_pattern.h"
#include "app/common/frame.h"
#include "app/common/model_colours.h"

namespace glassformer::app::views::flow {

/// The settings of the flow view.
struct FlowState {
    bool all_heads = true;  // all heads of the block; else only the chosen one
};

/// Height of the legend: the heads' names and colours, on as many lines as they need.
float flow_legend_height(const Frame& frame, int heads, float width);
/// Draws the legend. A click on a head chooses it; a head that is off is crossed out. `cross`: attention to the source.
void draw_flow_legend(const Frame& frame, int slot, int heads, bool cross, const Box& box);

/// Height of one row of switches, in pixels at 100 %.
inline constexpr float flow_switch_height = 26;

/// Draws what is above the rows: the switches for the heads and, in a translation (`can_cross`), for the words; what
/// the picture shows; and the names of its sides. Returns the bottom.
float draw_flow_heading(const Frame& frame, const BlockPattern& pattern, int query, bool can_cross, const Box& box);

}  // namespace glassformer::app::views::flow
