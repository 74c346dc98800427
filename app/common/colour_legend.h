#pragma once

#include "app/common/frame.h"

/// What the colours of cells mean, in the small: a row of cells between the two ends of the scale. The whole is said
/// when the mouse rests there. Each draws in the middle of its box's height.
namespace glassformer::app {

/// − blue, grey, red +; the item is `label`. `more` ends the tooltip: which number has the full colour.
void draw_signed_legend(const Ui& ui, const Box& box, std::string_view label, std::string_view more);
/// The least width of it.
float signed_legend_width(const Ui& ui);

/// 0 white to purple 1, of attention weights and probabilities.
void draw_weight_legend(const Ui& ui, const Box& box, std::string_view label);
float weight_legend_width(const Ui& ui);

/// 0 to `most` bits, of surprise and entropy.
void draw_bits_legend(const Ui& ui, const Box& box, std::string_view label, double most);
float bits_legend_width(const Ui& ui, double most);

}  // namespace glassformer::app
