#pragma once

#include "app/common/said_words.h"

namespace glassformer::app::views::what_if {

/// What the model says at the chosen word of a sentence with the changes, beside what it said without; from `box.min`
/// down. Returns the bottom. Items: "A/what if/word 0" (the probability now), "A/what if/before 0",
/// "A/what if/change 0", and "A/what if/chosen" for the probability that is followed.
float draw_what_if_effects(const Frame& frame, const Box& box, int slot);

}  // namespace glassformer::app::views::what_if
