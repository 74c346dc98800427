#pragma once

#include "app/ui/theme.h"

namespace glassformer::app {

/// Heads with their own colour; all others share one.
inline constexpr int coloured_heads = 12;

/// The colour of a head, for ribbons and swatches: six hues that colour-blind eyes tell apart (after Okabe and Ito
/// 2008, without their orange, which is the selection), then the same hues in another lightness, then grey.
ImU32 head_colour(const Theme& theme, int head);
/// The colour in which a node's name is written: query blue, key vermillion, value green …
ImU32 node_text_colour(const Theme& theme, const std::string& name);

}  // namespace glassformer::app
