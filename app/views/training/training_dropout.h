#pragma once

#include "app/views/training/training_pages.h"

namespace glassformer::app::views::training {

/// Which numbers of the batch's first sentence dropout set to 0 in this update; returns the bottom, that of the box's
/// top where the training has none.
float draw_dropout_mask(const Frame& frame, const Inspection& found, const Box& box);

}  // namespace glassformer::app::views::training
