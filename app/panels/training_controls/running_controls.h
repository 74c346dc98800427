#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// One step, several, until something is reached, how fast at most, and the settings of the run. Nothing where the
/// model cannot be trained here. Items "one step", "steps", "until", "speed", "settings".
void draw_running_controls(const Frame& frame, const Box& box);
float running_controls_height(const Ui& ui);

/// How the training goes, a line each: gradient norm, learning rate, tokens a second, held-out loss, time left. Items
/// "gradient norm", "rate at step", "tokens per second", "held-out loss", "time left".
void draw_running_readouts(const Frame& frame, const Box& box);
/// Of one line; wider beside an altered model, of which the figures are not.
float running_readouts_width(const Frame& frame);
/// The same in rows, as many as fit beside each other.
float running_readouts_height(const Frame& frame, float width);

/// S: one step.
void running_keys(const Frame& frame);

/// The cards that open above "until" and "settings"; `at` is the top left of their button. Call them in every frame.
void draw_until_card(const Frame& frame, bool asked, ImVec2 at);     // running_until.cpp
void draw_settings_card(const Frame& frame, bool asked, ImVec2 at);  // running_settings.cpp

}  // namespace glassformer::app
