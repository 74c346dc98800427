#pragma once

#include "core/ops/op.h"
#include "core/ops/rotary_options.h"

namespace glassformer::kernel {

/// The turning of rotary positions. The first `dims` features of every head of x [B, P, H, D] are dims / 2 pairs; at
/// position p pair i is turned by the angle p · turn_per_position(i). The other features pass as they are.
struct Rotation {
    RotaryOptions options;
    std::int64_t dims;

    /// y (+)= x with its pairs turned, the first row as position `first`; `direction` −1 turns them back.
    void apply(ThreadPool& pool, const Shape& shape, const float* x, const GradientSlot& y, std::int64_t first,
               double direction) const;
    double turn_per_position(std::int64_t pair) const;
    /// Where in a head the two features of a pair lie.
    std::int64_t even(std::int64_t pair) const { return options.halves ? pair : 2 * pair; }
    std::int64_t odd(std::int64_t pair) const { return options.halves ? pair + dims / 2 : 2 * pair + 1; }
};

/// What a rotary op was made with, for a head of that width; from its attributes.
Rotation rotation_of(const Op& rotary, std::int64_t width);

}  // namespace glassformer::kernel
