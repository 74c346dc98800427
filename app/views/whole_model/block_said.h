#pragma once

#include "app/views/whole_model/canvas.h"

namespace glassformer::app::views::whole_model {

/// What the stream after the block would say, word by word (the logit lens), in a box of the page.
void draw_block_said(const Canvas& canvas, const Box& on_page);

}  // namespace glassformer::app::views::whole_model
