#pragma once

#include <cstdint>
#include <vector>

#include "core/train/optimizer.h"
#include "core/train/parameter_range.h"
#include "core/train/schedule.h"

namespace glassformer {

/// The most sentences of one update.
inline constexpr int most_in_batch = 4096;

/// How a Trainer trains.
struct TrainOptions {
    Schedule schedule = {};
    OptimizerOptions optimizer = {};
    float clip = 1.0f;  // largest norm of the whole gradient
    int batch = 64;
    int longest = 0;  // tokens of the longest sentence that is trained on; 0: the world's longest
    std::uint64_t seed = 1;
    std::vector<ParameterRange> frozen_zero = {};  // cells that are 0 and stay 0: a head that was removed
    bool operator==(const TrainOptions&) const = default;
};

/// Throws Error naming the number that is out of range.
void validate(const TrainOptions& options);

}  // namespace glassformer
