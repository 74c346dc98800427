#pragma once

#include <cstdint>

#include "core/backend/gl/gl_backend.h"

namespace glassformer {

/// Seconds of one product of two matrices of side × side, the fastest of several runs of a few each, from asking for it
/// to its end on the GPU.
inline constexpr int gl_product_runs = 5;
double gl_seconds_of_product(GlBackend& gl, std::int64_t side, int runs = gl_product_runs);

/// Seconds that each of many small dispatches takes, one waiting for the other: what a shader costs that does nothing.
double gl_seconds_of_dispatch(GlBackend& gl);

}  // namespace glassformer
