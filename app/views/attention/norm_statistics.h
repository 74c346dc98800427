#pragma once

#include "app/common/pattern_view.h"

namespace glassformer::app::views::attention {

/// Each token's mean and spread in the LayerNorm before attention (ln1) or before the MLP (ln2), in rows that line up
/// with the pattern's: norm_statistics.cpp.
void draw_layer_norm(const Frame& frame, const HeadTrace& head, const PatternLayout& at);

}  // namespace glassformer::app::views::attention
