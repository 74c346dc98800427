#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/backend/gl/gl_backend.h"

namespace glassformer {

/// The sides of the tiles of matrix products that are fastest on the device of the current context: for products of few
/// tiles and of many. Measured in a moment, and remembered in `file` (a line for each renderer and driver; one that
/// cannot be written is measured again each time). On a software renderer tiles in registers are taken unmeasured.
GlOptions with_fastest_tiles(GlOptions options, const std::filesystem::path& file);

/// The same for a device of this name, where `measure` finds the fastest tile of products of so long a side.
GlOptions with_remembered_tiles(GlOptions options, const std::string& device, const std::filesystem::path& file,
                                const std::function<int(std::int64_t side)>& measure);

/// $XDG_CACHE_HOME/glassformer/devices, or ~/.cache/glassformer/devices.
std::filesystem::path tiles_file();

}  // namespace glassformer
