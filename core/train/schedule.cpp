#include "core/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glassformer {

float Schedule::at(std::int64_t step) const {
    const double warm = warmup > 0 ? std::min(1.0, static_cast<double>(step) / static_cast<double>(warmup)) : 1.0;
    const double progress = total > 0 ? std::min(1.0, static_cast<double>(step) / static_cast<double>(total)) : 1.0;
    const double wave = 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
    const double low = static_cast<double>(floor);
    return static_cast<float>(static_cast<double>(peak) * warm * (wave * (1.0 - low) + low));
}

}  // namespace glassformer
