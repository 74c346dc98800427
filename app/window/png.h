#pragma once

#include <string>

#include "app/window/offscreen.h"

namespace glassformer::app {

/// Encodes a PNG file. Throws Error if memory runs out.
std::string png_bytes(const Image& image);

/// Writes a PNG with write_file_atomically: all or nothing. Throws Error with the path and the reason.
void write_png(const std::string& path, const Image& image);

}  // namespace glassformer::app
