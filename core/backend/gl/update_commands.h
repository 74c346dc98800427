#pragma once

#include <span>
#include <vector>

#include "core/backend/gl/gl_training.h"
#include "core/backend/gl/parameters.h"
#include "core/backend/gl/recorder.h"

namespace glassformer::gl {

/// What an update reads for each step (include/update.glsl): learning rate, 1/(1−β₁ᵗ), 1/(1−β₂ᵗ), β₁, β₂, μ, ε, λ,
/// clip; then a share for each running value.
inline constexpr std::int64_t update_numbers = 9;
/// What it tells: loss, norm of the gradient, factor of clipping, and 1 where a number inside was not finite.
inline constexpr std::int64_t report_cells = 4;

/// Where an update finds its operands.
struct UpdateOperands {
    Parameters& parameters;
    Span m, v;  // of the padded layout; empty where the method has none
    Span loss, broken, numbers, report;
    std::vector<std::pair<Span, Span>> running = {};  // of the batch, of the parameters
};

/// Records what follows the backward pass: held cells cleared, the gradient's norm, the optimizer, running values.
void record_update(Recorder& gl, const Graph& graph, const UpdateOperands& on, GlMethod::Kind kind,
                   std::span<const GlHeld> held, std::span<const GlRunning> running);

}  // namespace glassformer::gl
