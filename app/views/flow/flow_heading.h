#pragma once

#include "app/common/block_pattern.h"
#include "app/common/frame.h"

namespace glassformer::app::views::flow {

/// Of one row of switches, in pixels at 100 %.
inline constexpr float flow_switch_height = 26;

/// Above the rows: which heads, of a translation (`can_cross`) which words, what the picture says, and the names of its
/// sides. Returns the bottom.
float draw_flow_heading(const Frame& frame, const BlockPattern& pattern, int query, bool can_cross, const Box& box);

}  // namespace glassformer::app::views::flow
