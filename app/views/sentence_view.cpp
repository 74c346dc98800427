#include "app/views/views.h"

namespace glassformer::app {

void draw_sentence(const Frame& frame, const Box& box, int slot) {
    draw::card(frame.ui, box.min, box.max, slot == 0 ? frame.ui.theme->sense_a : frame.ui.theme->sense_b);
}

}  // namespace glassformer::app
