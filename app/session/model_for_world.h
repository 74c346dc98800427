#pragma once

#include "core/nn/config.h"

namespace glassformer::app {

/// Gives a model what its world decides: what it reads and says. Throws Error where a model that is built like that
/// cannot learn this world.
void take_from_world(TransformerConfig& config, const TransformerConfig& world);

}  // namespace glassformer::app
