#pragma once

#include "app/common/frame.h"
#include "app/views/view.h"

namespace glassformer::app {

/// One sentence's card: its picker, its words, and the chosen view of its trace.
void draw_sentence(const Frame& frame, const Box& box, int slot);
/// Both cards in one, with a view that spans them.
void draw_sentences_across(const Frame& frame, const Box& box, const View& view);

}  // namespace glassformer::app
