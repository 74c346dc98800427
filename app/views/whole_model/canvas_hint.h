#pragma once

#include <string>

#include "app/views/whole_model/canvas.h"

namespace glassformer::app::views::whole_model {

/// What the line below the pages says as long as nothing is clicked: what the chosen word reads most, and what to do
/// next, as much of it as fits into `width`.
std::string canvas_hint(const Canvas& canvas, float width);

}  // namespace glassformer::app::views::whole_model
