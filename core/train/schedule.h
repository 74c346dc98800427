#pragma once

#include <cstdint>

namespace glassformer {

/// Linear warm-up, then a cosine down to `floor` of the peak at step `total`, and `floor` from there on.
struct Schedule {
    float peak = 5e-3f;
    std::int64_t warmup = 50;
    std::int64_t total = 1200;
    float floor = 0.05f;

    /// The learning rate of update number `step`, counted from 1.
    float at(std::int64_t step) const;
};

}  // namespace glassformer
