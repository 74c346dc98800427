#pragma once

#include "app/common/frame.h"
#include "app/ui/opened_part.h"

namespace glassformer::app {

/// Whether the panel of a word's meaning lists where the world's sentences use it so, instead of the nearest words.
struct UsesLook {
    bool on = false;
    OpenedPart seen;
    command::ShowNearestUses asked;
    void on_model_changed() { asked = {}; }
};

/// The training and held-out sentences with the chosen word, the nearest by its vector first.
void draw_nearest_uses(const Frame& frame, const Box& box);
/// Nobody looks at them any longer.
void leave_nearest_uses(const Frame& frame);

}  // namespace glassformer::app
