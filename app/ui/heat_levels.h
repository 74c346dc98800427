#pragma once

#include <vector>

#include "app/ui/heat_texture.h"

namespace glassformer::app {

/// A matrix at half the resolution of the one before it: cells that are the means of two by two, odd sizes being halved
/// with fractions of cells. NaN where all that a cell covers is hidden.
struct HeatLevel {
    int rows = 0, columns = 0;
    std::vector<float> means, shown;  ///< the mean of the shown cells, and which share of the area they take
};

/// The matrix itself, made small enough for `most` cells a side.
HeatLevel first_level(const HeatMatrix& matrix, int most);
/// The next one down to a single cell; each side at least 1.
HeatLevel next_level(const HeatLevel& level);
/// 8-bit RGBA in the theme's colours, alpha by the share that is shown.
std::vector<ImU32> coloured(const HeatLevel& level, const Theme& theme, HeatColours colours, float range);

}  // namespace glassformer::app
