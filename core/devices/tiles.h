#pragma once

#include <filesystem>

#include "core/backend/gl/gl_backend.h"

namespace glassformer {

/// The sides of the tiles of matrix products that are fastest on the device of the current context: for products of few
/// tiles and of many. Measured in a moment, and remembered in `file` (a line for each renderer and driver; one that
/// cannot be written is measured anew each time). On a software renderer tiles in registers are taken unmeasured.
GlOptions with_fastest_tiles(GlOptions options, const std::filesystem::path& file);

/// $XDG_CACHE_HOME/glassformer/devices, or ~/.cache/glassformer/devices.
std::filesystem::path tiles_file();

}  // namespace glassformer
