#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/backend/gl/gl_backend.h"

namespace glassformer {

/// Finds the fastest tile sides for matrix products on the device of the current context, for products of few tiles and
/// of many. Takes a moment to measure, and stores the result in `file` (one line per renderer and driver; if it cannot
/// be written, every call measures again). On a software renderer it chooses register tiles without measuring.
GlOptions with_fastest_tiles(GlOptions options, const std::filesystem::path& file);

/// The same for a device with this name; `measure` returns the fastest tile for products with this side.
GlOptions with_remembered_tiles(GlOptions options, const std::string& device, const std::filesystem::path& file,
                                const std::function<int(std::int64_t side)>& measure);

/// $XDG_CACHE_HOME/glassformer/devices, or ~/.cache/glassformer/devices.
std::filesystem::path tiles_file();

}  // namespace glassformer
