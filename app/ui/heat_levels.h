#pragma once

#include <array>
#include <vector>

#include "app/ui/heat_texture.h"

namespace glassformer::app {

/// A mip level: a matrix at half the resolution of the one before. Each cell is the mean of 2 × 2 cells; odd sizes are
/// halved with fractional cells. The mean is 0 where all that a cell covers is hidden.
struct HeatLevel {
    int rows = 0, columns = 0;
    std::vector<float> means, shown;  ///< per cell: the mean of its visible cells, and their share of its area
};

/// The matrix reduced to at most `rows` × `columns`.
HeatLevel level_of(const HeatMatrix& matrix, int rows, int columns);
/// The next smaller level, down to a single cell; each side is at least 1.
HeatLevel next_level(const HeatLevel& level);

/// A theme's colours along a value scale.
class HeatScale {
public:
    /// `range`: the |value| with the full colour, for signed values.
    HeatScale(const Theme& theme, HeatColours colours, float range);

    /// Returns 8-bit RGBA: the means' colours, with the visible share as alpha.
    std::vector<ImU32> coloured(const HeatLevel& level) const;

private:
    static constexpr int steps = 4096;  // finer than 8 bits even where small weights are spread out

    std::array<ImU32, steps> scale_;
    ImU32 broken_;           // for NaN
    float factor_, offset_;  // map a mean to a share of the scale
};

}  // namespace glassformer::app
