#pragma once

#include "app/common/head_trace.h"
#include "app/common/heat_map.h"

/// Painting a row of a pattern by keyboard, while ViewState::painting is on: left and right choose a key of the chosen
/// word's row, up and down (or + and −) change its weight, and the others share the rest as they did. Nothing of it is
/// in the model before Enter.
namespace glassformer::app {

/// Answers the keys of painting; true where one was pressed, which then does nothing else.
bool painting_keys(const Frame& frame);
/// Forgets what was not applied; false where there is nothing to forget.
bool drop_draft(ViewState& state);

/// Over the pattern of the sentence that the keyboard acts on: the row as it would be, and the focus.
void draw_draft(const Frame& frame, const HeadTrace& head, const HeatMap& map);
/// What the bar above the cards says about it; empty while nothing is drafted.
std::string draft_text(const Frame& frame);

}  // namespace glassformer::app
