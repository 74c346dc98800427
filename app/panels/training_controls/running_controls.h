#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// Draws the controls of a run: one step, several steps, "until", the speed limit, and the settings. Draws nothing if
/// the model cannot be trained here. Items "one step", "steps", "until", "speed", "settings".
void draw_running_controls(const Frame& frame, const Box& box);
float running_controls_height(const Ui& ui);

/// Draws the state of the training, one line each: gradient norm, learning rate, tokens per second, held-out loss, time
/// left. Items "gradient norm", "rate at step", "tokens per second", "held-out loss", "time left".
void draw_running_readouts(const Frame& frame, const Box& box);
/// Returns the width of one line; it is wider beside an altered model, because the figures are not about that model.
float running_readouts_width(const Frame& frame);
/// Returns the height of the lines in as many columns as fit.
float running_readouts_height(const Frame& frame, float width);

/// Handles the key S: one step.
void running_keys(const Frame& frame);

/// The cards that open above "until" and "settings"; `at` is the top left corner of their button. Call these every
/// frame.
void draw_until_card(const Frame& frame, bool asked, ImVec2 at);     // running_until.cpp
void draw_settings_card(const Frame& frame, bool asked, ImVec2 at);  // running_settings.cpp

}  // namespace glassformer::app
