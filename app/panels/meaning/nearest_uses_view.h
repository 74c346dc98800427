#pragma once

#include "app/common/frame.h"
#include "app/ui/opened_part.h"

namespace glassformer::app {

/// Whether the word-meaning panel lists the world's sentences that use the word in the same way, instead of the nearest
/// words.
struct UsesLook {
    bool on = false;
    OpenedPart seen;
    command::ShowNearestUses asked;
    void on_model_changed() { asked = {}; }
};

/// Draws the training and held-out sentences that contain the chosen word; those whose vector is nearest come first.
void draw_nearest_uses(const Frame& frame, const Box& box);
/// Tells the worker that the nearest uses are no longer shown.
void leave_nearest_uses(const Frame& frame);

}  // namespace glassformer::app
