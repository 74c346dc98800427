#pragma once

#include <filesystem>

namespace glassformer::app {

/// The folder of worlds, models and lessons: $GLASSFORMER_ASSETS, or `assets` beside or above the program. Throws Error
/// saying where it looked.
std::filesystem::path assets_folder();

}  // namespace glassformer::app
