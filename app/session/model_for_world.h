#pragma once

#include "core/nn/config.h"

namespace glassformer::app {

/// Gives a model what its world decides: its inputs and outputs. Throws Error if a model of this architecture cannot
/// learn the world.
void take_from_world(TransformerConfig& config, const TransformerConfig& world);

}  // namespace glassformer::app
