#pragma once

#include <cmath>
#include <vector>

#include "core/ops/rotary.h"

namespace glassformer::gl {

/// cos and sin of the angle of every position and pair, in double: in float the rounding of p · step would be felt at
/// large p.
inline std::vector<float> angles(std::int64_t positions, const kernel::Rotation& rotation) {
    std::vector<float> table;
    for (std::int64_t p = 0; p < positions; ++p)
        for (std::int64_t i = 0; i < rotation.dims / 2; ++i) {
            const double angle = static_cast<double>(p) * rotation.turn_per_position(i);
            table.push_back(static_cast<float>(std::cos(angle)));
            table.push_back(static_cast<float>(std::sin(angle)));
        }
    return table;
}

}  // namespace glassformer::gl
