#pragma once

#include "app/views/whole_model/canvas.h"

namespace glassformer::app {

/// What a row of the page is, written at its left where there is room; of a causal model's attention with the triangle
/// of what may be seen.
void label_row(const Canvas& canvas, const CanvasRow& row);

/// One name in a box of the page.
void label_lane(const Canvas& canvas, const Box& on_page, std::string_view title, ImU32 ink);

}  // namespace glassformer::app
