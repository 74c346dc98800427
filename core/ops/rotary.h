#pragma once

#include "core/ops/op.h"

namespace glassformer::kernel {

/// What the ops of rotary positions share (Su et al. 2021, RoPE). The first `dims` features of every head of
/// x [B, P, H, D] are pairs (2i, 2i + 1); at position p a pair is turned by the angle p · base^(−2i/dims).
struct Rotation {
    double base;
    std::int64_t dims;

    /// y (+)= the turned features; `direction` −1 turns them back. Other features are left alone.
    void turn(ThreadPool& pool, const Shape& shape, const float* x, const GradientSlot& y, double direction) const;
    /// Of a cell that is turned; `width` is what the formula calls dims.
    OpExplanation explain(const ExplainArgs& args, const std::string& width) const;

    double turn_per_position(std::int64_t pair) const;
};

/// Throws Error naming the op unless the base is a positive number.
void require_base(std::string_view op, float base);

}  // namespace glassformer::kernel
