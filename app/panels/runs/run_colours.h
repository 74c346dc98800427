#pragma once

#include "app/ui/theme.h"

namespace glassformer::app {

/// How many colours the runs' curves have; a run's number goes round in them.
inline constexpr int run_colour_count = 6;

/// The colour of a run's curve. The first is the residual stream's slate, as a single training has always been drawn;
/// the others mean nothing else in this program, and differ in lightness too, for eyes that mix up hues.
ImU32 run_colour(const Theme& theme, int colour);
/// Of its metric: purple for the first, else the run's own.
ImU32 run_metric_colour(const Theme& theme, int colour);

}  // namespace glassformer::app
