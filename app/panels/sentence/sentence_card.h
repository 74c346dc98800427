#pragma once

#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// Draws one sentence's card: its picker, its words, and the chosen view of its trace.
void draw_sentence(const Frame& frame, const Box& box, int slot);
/// Draws both cards as one, with a view that spans them; `slot` is the one to show if the view has no room for both.
void draw_both_sentences(const Frame& frame, const Box& box, int slot);
/// Draws the chosen arrangement: one card, A beside B (or above it), or both as one with a view that spans them.
void draw_sentences(const Frame& frame, const Box& box, bool above = false);

struct View;

/// Returns the text of a view's tab: in a model without attention, Attention shows the states.
std::string_view tab_title(const Frame& frame, const View& view);

/// Draws the tabs that choose the view, or a list if they do not fit.
void draw_view_tabs(const Frame& frame, const Box& box);

}  // namespace glassformer::app
