#pragma once

#include <array>
#include <vector>

#include "app/ui/heat_texture.h"

namespace glassformer::app {

/// A matrix at half the resolution of the one before it: cells that are the means of two by two, odd sizes being halved
/// with fractions of cells. 0 where all that a cell covers is hidden.
struct HeatLevel {
    int rows = 0, columns = 0;
    std::vector<float> means, shown;  ///< the mean of the shown cells, and which share of the area they take
};

/// The matrix in so many cells, at most as many as it has a side.
HeatLevel level_of(const HeatMatrix& matrix, int rows, int columns);
/// The matrix itself, made small enough for `most` cells a side.
HeatLevel first_level(const HeatMatrix& matrix, int most);
/// The next one down to a single cell; each side at least 1.
HeatLevel next_level(const HeatLevel& level);

/// A theme's colours from one end of a scale to the other.
class HeatScale {
public:
    HeatScale(const Theme& theme, HeatColours colours);

    /// 8-bit RGBA: the colour at factor · mean + offset of the scale's length, alpha by the share that is shown.
    std::vector<ImU32> coloured(const HeatLevel& level, float factor, float offset) const;

private:
    static constexpr int steps = 4096;  // finer than 8 bits even where small weights are spread

    std::array<ImU32, steps> scale_;
    ImU32 broken_;  // what is not a number
};

}  // namespace glassformer::app
