#pragma once

#include "app/common/frame.h"

/// Small legends of the cells' colours: a row of cells between the two ends of the scale. A tooltip explains it in
/// full. Each legend is centred vertically in its box.
namespace glassformer::app {

/// Blue (−) through grey to red (+); the item is `label`. `more` ends the tooltip: which number has the full colour.
void draw_signed_legend(const Ui& ui, const Box& box, std::string_view label, std::string_view more);
/// Its minimum width.
float signed_legend_width(const Ui& ui);

/// White (0) to purple (1), for attention weights and probabilities.
void draw_weight_legend(const Ui& ui, const Box& box, std::string_view label);
float weight_legend_width(const Ui& ui);

/// 0 to `most` bits, for surprise and entropy.
void draw_bits_legend(const Ui& ui, const Box& box, std::string_view label, double most);
float bits_legend_width(const Ui& ui, double most);

}  // namespace glassformer::app
