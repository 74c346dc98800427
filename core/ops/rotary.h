#pragma once

#include "core/ops/op.h"
#include "core/ops/rotary_options.h"

namespace glassformer::kernel {

/// The rotation of rotary positions. The first `dims` features of every head of x [B, P, H, D] form dims / 2 pairs; at
/// position p, pair i is rotated by the angle p · turn_per_position(i). The other features pass through unchanged.
struct Rotation {
    RotaryOptions options;
    std::int64_t dims;

    /// y (+)= x with its pairs rotated; the first row is at position `first`. `direction` −1 rotates back.
    void apply(ThreadPool& pool, const Shape& shape, const float* x, const GradientSlot& y, std::int64_t first,
               double direction) const;
    double turn_per_position(std::int64_t pair) const;
    /// The positions of a pair's two features within a head.
    std::int64_t even(std::int64_t pair) const { return options.halves ? pair : 2 * pair; }
    std::int64_t odd(std::int64_t pair) const { return options.halves ? pair + dims / 2 : 2 * pair + 1; }
};

/// The rotation of a rotary op, for a head of that width; from its attributes.
Rotation rotation_of(const Op& rotary, std::int64_t width);

}  // namespace glassformer::kernel
