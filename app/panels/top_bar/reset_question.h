#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// Starts over with fresh weights: at once when there is nothing to lose, else after a question. Call it in every
/// frame; `asked` is true in the one where the person wants to, and the question opens with its top left at `at`.
void draw_reset_question(const Frame& frame, bool asked, ImVec2 at);

}  // namespace glassformer::app
