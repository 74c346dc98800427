#pragma once

#include "app/views/whole_model/canvas.h"

namespace glassformer::app {

/// What a row of the page is, written at its left where there is room; of a causal model's attention with the triangle
/// of what may be seen.
void label_row(const Canvas& canvas, const CanvasRow& row);

/// Which block it is, where its rows are too low for names of their own.
void label_block(const Canvas& canvas, const CanvasBlock& block);

/// Every how many words of a side one is named, where a name needs `width` pixels at 100 %.
int named_every(const Canvas& canvas, const CanvasSide& side, float width);
/// Whether this word is: one in `every`, and always the chosen one, which takes the room of those beside it.
bool is_named(int word, int every, int chosen);

/// One name in a box of the page.
void label_lane(const Canvas& canvas, const Box& on_page, std::string_view title, ImU32 ink);

}  // namespace glassformer::app
