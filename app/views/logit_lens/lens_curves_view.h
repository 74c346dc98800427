#pragma once

#include <string_view>

#include "app/common/frame.h"
#include "core/analysis/lens_curves.h"

namespace glassformer::app::views::logit_lens {

/// Minimum height of the curves, in pixels at 100 %.
inline constexpr float curves_height = 168;

/// Draws the entropy over the layers, and the rank of the word `followed` (−1: the model's own prediction). A click on
/// a word that led after some layer follows that word. `title`: of the entropy, including where it is read.
void draw_lens_curves(const Frame& frame, const LensCurves& curves, int slot, int& followed, std::string_view title,
                      const Box& box);

}  // namespace glassformer::app::views::logit_lens
