#pragma once

#include "app/common/frame.h"

/// The panels that stand around the sentences; app/desktop/layout.cpp says where.
namespace glassformer::app {

/// "Where does this number come from?": the formula of the chosen number with its operands.
void draw_explanation(const Frame& frame, const Box& box);
/// The keys, over everything. Draws nothing unless it is open.
void draw_help(const Frame& frame, const Box& box);
/// The map of the model, laid out from the graph that is executed.
void draw_model_map(const Frame& frame, const Box& box);
/// The curves of the training, travel along its steps, and the controls of the training.
void draw_timeline(const Frame& frame, const Box& box);
/// The bar at the top of the window: the model, the sentences, what computes.
void draw_top_bar(const Frame& frame, const Box& box);

}  // namespace glassformer::app
