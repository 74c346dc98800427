#pragma once

#include "app/views/whole_model/canvas.h"

/// The parts of the page at level "model".
namespace glassformer::app::views::whole_model {

/// Labels a row of the page on its left if there is room; causal attention with the triangle of what it may see.
void label_row(const Canvas& canvas, const CanvasRow& row);

/// Names a block whose rows are too low for names of their own.
void label_block(const Canvas& canvas, const CanvasBlock& block);

/// Every how many words one is named: 1 if each has `least` pixels at 100 %; else so many that a usual name fits.
int named_every(const Canvas& canvas, const CanvasSide& side, float least);
/// True if a row of this height has its word before it: every row, or one in so many, and always the chosen one.
bool names_row(const Canvas& canvas, int row, float page_height, int chosen);
/// The page's x at `reach` on both sides of a lane; moved in at the right edge, so that a name fits.
Box around_lane(const Canvas& canvas, const CanvasSide& side, int word, float reach);
/// True if this word is named: one in `every`, and always the chosen one, which takes the room of its neighbours.
bool is_named(int word, int every, int chosen);

/// Where the name of the words' lane is, on the page.
Box words_label(const Canvas& canvas, const CanvasSide& side);
/// Draws one name in a box of the page.
void label_lane(const Canvas& canvas, const Box& on_page, std::string_view title, ImU32 ink);

/// Draws the arcs of one row of attention, from the words that are read to the words that read. Those of the chosen
/// word have the colours of their heads, the strongest also their weights; the others are faint. Draws only the share
/// `shown` (0 … 1) of their length.
void draw_arcs(const Canvas& canvas, const CanvasRow& row, float shown);

/// For a translation: draws which target word reads which source word in the chosen head, as a matrix over the lanes,
/// if there is room above the source side.
void draw_alignment(const Canvas& canvas);

/// Width over a lane of the numbers of all heads.
float mix_width(const Canvas& canvas, const CanvasSide& side);
/// Box over a lane of the numbers of head `head`; `width` is that of the whole tile.
Box head_tile(const CanvasRow& row, float lane, float width, int head);

/// What the model would predict at a word if this block were its last; registers `box` as its item. Null until it is
/// read, and as long as it has to be guessed first, which the box then says.
const LensWord* lens_word(const Canvas& canvas, int block, int word, const Box& box, draw::Align waiting);

/// Draws the predictions at the top of the page: words with their probabilities over each lane, the class of the
/// sentence, or numbers. Draws only the share `shown` (0 … 1) of the bars.
void draw_said(const Canvas& canvas, float shown);

}  // namespace glassformer::app::views::whole_model
