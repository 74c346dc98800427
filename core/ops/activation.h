#pragma once

// The loops of the activations: one function of every cell, forward, and its gradient back.

#include "core/ops/elementary.h"
#include "core/ops/kernel.h"
#include "core/ops/op.h"

namespace glassformer::kernel {

/// y = f(x), a register of cells at a time.
template <class Function>
void activate(const ForwardArgs& a, const Function& f) {
    for_ranges(a.pool, a.output.shape.elements(), element_grain, [&](std::int64_t begin, std::int64_t end) {
        for_lanes(begin, end, [&](std::int64_t i, std::int64_t count) {
            store_floats(a.output.data + i, f(load_floats(a.inputs[0].data + i, count)), count);
        });
    });
}

/// dx (+)= gradient(dy, i, count), for the `count` cells from i on.
template <class Function>
void activate_backward(const BackwardArgs& a, const Function& gradient) {
    const GradientSlot dx = a.input_gradients[0];
    if (!dx.data) return;
    for_ranges(a.pool, a.output_gradient.shape.elements(), element_grain, [&](std::int64_t begin, std::int64_t end) {
        for_lanes(begin, end, [&](std::int64_t i, std::int64_t count) {
            Floats d = gradient(load_floats(a.output_gradient.data + i, count), i, count);
            if (dx.accumulate) d += load_floats(dx.data + i, count);
            store_floats(dx.data + i, d, count);
        });
    });
}

}  // namespace glassformer::kernel
