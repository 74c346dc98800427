#pragma once

#include <string_view>

#include "app/common/frame.h"
#include "core/analysis/lens_curves.h"

namespace glassformer::app::views::logit_lens {

/// How high the curves are drawn at least, at 100 %.
inline constexpr float curves_height = 168;

/// Entropy over the layers, and the rank of the followed word: of −1 the model's own; a click on a word that led after
/// some layer follows that. `title`: of the entropy, and where it is read.
void draw_lens_curves(const Frame& frame, const LensCurves& curves, int slot, int& followed, std::string_view title,
                      const Box& box);

}  // namespace glassformer::app::views::logit_lens
