#pragma once

#include "app/common/block_pattern.h"
#include "app/common/frame.h"
#include "app/common/model_colours.h"

namespace glassformer::app::views::flow {

/// What the flow is set to.
struct FlowState {
    bool all_heads = true;  // of the block; else the chosen one
};

/// Height of the heads' names and colours, on as many lines as they take.
float flow_legend_height(const Frame& frame, int heads, float width);
/// A click on a head chooses it; one that is off is crossed out. `cross`: of the attention to the source.
void draw_flow_legend(const Frame& frame, int slot, int heads, bool cross, const Box& box);

/// Of one row of switches, in pixels at 100 %.
inline constexpr float flow_switch_height = 26;

/// Above the rows: which heads, of a translation (`can_cross`) which words, what the picture says, and the names of its
/// sides. Returns the bottom.
float draw_flow_heading(const Frame& frame, const BlockPattern& pattern, int query, bool can_cross, const Box& box);

}  // namespace glassformer::app::views::flow
