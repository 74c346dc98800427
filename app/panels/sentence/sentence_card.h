#pragma once

#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// One sentence's card: its picker, its words, and the chosen view of its trace.
void draw_sentence(const Frame& frame, const Box& box, int slot);
/// Both cards in one, with a view that spans them; `slot` is the one whose turn it is where the view has no room for
/// both.
void draw_both_sentences(const Frame& frame, const Box& box, int slot);
/// What is chosen of the two: one card, A beside B (or above it), or both in one with a view that spans them.
void draw_sentences(const Frame& frame, const Box& box, bool above = false);

struct View;

/// What a view's tab says: in a model in which nothing attends, Attention shows the states.
std::string_view tab_title(const Frame& frame, const View& view);

/// The row of tabs that chooses the view; a list where they do not fit.
void draw_view_tabs(const Frame& frame, const Box& box);

}  // namespace glassformer::app
