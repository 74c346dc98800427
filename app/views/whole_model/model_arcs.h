#pragma once

#include "app/views/whole_model/canvas.h"

namespace glassformer::app::views::whole_model {

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

}  // namespace glassformer::app::views::whole_model
