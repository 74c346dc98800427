#pragma once

#include "app/common/frame.h"

/// The panels around the sentences; app/desktop/layout.cpp places them.
namespace glassformer::app {

/// Draws "Where does this number come from?": the formula of the chosen number with its operands.
void draw_explanation(const Frame& frame, const Box& box);
/// Draws the key help over everything. Draws nothing unless it is open.
void draw_help(const Frame& frame, const Box& box);
/// Draws the map of the model, laid out from its computation graph.
void draw_model_map(const Frame& frame, const Box& box);
/// Draws the training curves, the travel along their steps, and the training controls.
void draw_timeline(const Frame& frame, const Box& box);
/// Draws the bar at the top of the window: the model, the sentences, and the backend.
void draw_top_bar(const Frame& frame, const Box& box);

}  // namespace glassformer::app
