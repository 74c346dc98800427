#pragma once

#include <vector>

#include "app/session/snapshot.h"

namespace glassformer::app {

/// Texts for a model without a world: something that it can read.
std::vector<Sample> samples_without_world(const ModelInfo& model);

}  // namespace glassformer::app
