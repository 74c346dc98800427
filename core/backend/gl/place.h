#pragma once

#include <cstdint>

#include "core/backend/backend.h"

namespace glassformer {

/// Float32 cells of a buffer of OpenGL; buffer 0: none.
struct GlPlace {
    unsigned buffer = 0;
    std::int64_t first = 0, cells = 0;
};

/// Where a run that a GlBackend prepared keeps a node's values: for whoever draws them without a copy, in a context
/// that shares its buffers. None where the node was not kept.
GlPlace gl_place(const Execution& run, int node);

/// The pass alone, over these parameters; returns when it is done on the GPU, so that other contexts see it.
void gl_run(Execution& run, std::span<const float> parameters);

}  // namespace glassformer
