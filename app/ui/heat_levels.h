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

/// The matrix in at most so many rows and columns.
HeatLevel level_of(const HeatMatrix& matrix, int rows, int columns);
/// The next one down to a single cell; each side at least 1.
HeatLevel next_level(const HeatLevel& level);

/// A theme's colours from one end of a scale to the other.
class HeatScale {
public:
    /// `range`: |value| of the full colour, of signed values.
    HeatScale(const Theme& theme, HeatColours colours, float range);

    /// 8-bit RGBA: the colours of the means, alpha by the share that is shown.
    std::vector<ImU32> coloured(const HeatLevel& level) const;

private:
    static constexpr int steps = 4096;  // finer than 8 bits even where small weights are spread

    std::array<ImU32, steps> scale_;
    ImU32 broken_;           // what is not a number
    float factor_, offset_;  // from a mean to a share of the scale
};

}  // namespace glassformer::app
