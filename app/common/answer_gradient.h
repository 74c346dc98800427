#pragma once

#include <optional>

#include "app/common/frame.h"

namespace glassformer::app {

/// Whether every number shows how steeply the answer of the page "words" (Logit attribution) changes with it: then that
/// answer is asked about on whatever page and view is on screen.
struct GradientsEverywhere {
    bool on = false;
};

/// ∂f/∂x of a number x of a card's trace, where f is that answer, at the sentence as it is shown; nothing where they
/// are off, not there yet, or where x does not lead to f.
std::optional<double> answer_gradient(const Frame& frame, int slot, const Cell& cell);

}  // namespace glassformer::app
