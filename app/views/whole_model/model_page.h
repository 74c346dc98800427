#pragma once

#include "app/views/whole_model/canvas.h"

/// The pieces of the page of level "model".
namespace glassformer::app::views::whole_model {

/// What a row of the page is, written at its left where there is room; of a causal model's attention with the triangle
/// of what may be seen.
void label_row(const Canvas& canvas, const CanvasRow& row);

/// Which block it is, where its rows are too low for names of their own.
void label_block(const Canvas& canvas, const CanvasBlock& block);

/// Every how many words of a side one is named: all, where each has `least` pixels at 100 %; else as many as have room
/// for a name of usual length.
int named_every(const Canvas& canvas, const CanvasSide& side, float least);
/// Whether there is room for a word before a row of this height: before each, or before one in so many, and always
/// before the chosen one.
bool names_row(const Canvas& canvas, int row, float page_height, int chosen);
/// The page's x on both sides of a lane, as far away as this; at the right edge moved in, so that a name has its room.
Box around_lane(const Canvas& canvas, const CanvasSide& side, int word, float reach);
/// Whether this word is: one in `every`, and always the chosen one, which takes the room of those beside it.
bool is_named(int word, int every, int chosen);

/// One name in a box of the page.
void label_lane(const Canvas& canvas, const Box& on_page, std::string_view title, ImU32 ink);

/// The arcs of one row of attention: from the words that are read to the words that read. Those of the chosen word have
/// the colours of their heads and their weights; the others are faint. `shown` (0 … 1) of their way is drawn.
void draw_arcs(const Canvas& canvas, const CanvasRow& row, float shown);

/// Of a translation, where its source side leaves room above: who reads which source word in the chosen head, as a
/// matrix over the lanes.
void draw_alignment(const Canvas& canvas);

/// The width of all heads' numbers over a lane.
float mix_width(const Canvas& canvas, const CanvasSide& side);
/// Where the numbers of head `head` stand over a lane; `width` is that of the whole tile.
Box head_tile(const CanvasRow& row, float lane, float width, int head);

/// What the model would say of a word if this block were its last, as an item of that box. Null as long as it is to be
/// guessed first, which is said there, and while it is not read.
const LensWord* lens_word(const Canvas& canvas, int block, int word, const Box& box, draw::Align waiting);

/// What the model says, on top of the page: words with their probabilities over each lane, the class of the sentence,
/// or numbers. `shown` (0 … 1) of the bars is there.
void draw_said(const Canvas& canvas, float shown);

}  // namespace glassformer::app::views::whole_model
