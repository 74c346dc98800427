#pragma once

#include "app/common/frame.h"

namespace glassformer::app::views::what_if {

/// Whether the window is so low that the switches stand in the sentence's page and scroll with it, instead of above.
bool switches_in_page(const Frame& frame);
/// The switches from `box.min` down; returns the bottom.
float draw_switches(const Frame& frame, const Box& box);

/// The switches above both cards; returns their bottom.
float draw_what_if_switches(const Frame& frame, const Box& box);

}  // namespace glassformer::app::views::what_if
