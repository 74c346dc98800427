#pragma once

#include <string>

#include "app/window/offscreen.h"

namespace glassformer::app {

/// The bytes of a PNG file. Throws Error where there is not enough memory.
std::string png_bytes(const Image& image);

/// Writes it by write_file_atomically: whole or not at all. Throws Error naming the path and the reason.
void write_png(const std::string& path, const Image& image);

}  // namespace glassformer::app
