#pragma once

#include "app/ui/theme.h"

namespace glassformer::app {

/// How many colours the runs' curves have; runs beyond that start over with the first.
inline constexpr int run_colour_count = 6;

/// Returns the colour of a run's curve. The first is the residual stream's slate, the colour of a single training. The
/// others mean nothing else in this program, and they differ in lightness too, for colour-blind viewers.
ImU32 run_colour(const Theme& theme, int colour);
/// Returns the colour of a run's metric: purple for the first run, otherwise the run's own colour.
ImU32 run_metric_colour(const Theme& theme, int colour);

}  // namespace glassformer::app
