#pragma once

#include <filesystem>
#include <string>

namespace glassformer::app {

/// Returns the folder of worlds, models and lessons: $GLASSFORMER_ASSETS, or else `assets` beside or above the program,
/// in share/glassformer above it, or in the current folder. Throws Error with where it looked.
std::filesystem::path assets_folder();

/// Returns the folder of translation catalogues (use_language): `locale` beside the program, or share/locale above it.
std::filesystem::path locale_folder();

/// Returns the folder for --model: an existing folder (or its model.safetensors), otherwise a model included with the
/// program ("homonyms"). Returns any other path unchanged; throws Error if a bare name is none of these.
std::string model_folder(const std::string& model);

}  // namespace glassformer::app
