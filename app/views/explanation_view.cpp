#include "app/views/views.h"

namespace glassformer::app {

void draw_explanation(const Frame& frame, const Box& box) { draw::card(frame.ui, box.min, box.max); }

}  // namespace glassformer::app
