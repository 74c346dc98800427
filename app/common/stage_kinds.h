#pragma once

#include <span>

#include "app/common/stages.h"

namespace glassformer::app {

/// What stages there can be, whatever the model: outside of the blocks, and in a block. A graph has some of them.
std::span<const StageKind> stage_kinds_before();
std::span<const StageKind> stage_kinds_in_block();
std::span<const StageKind> stage_kinds_after();

}  // namespace glassformer::app
