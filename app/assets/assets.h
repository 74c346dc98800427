#pragma once

#include <filesystem>
#include <string>

namespace glassformer::app {

/// The folder of worlds, models and lessons: $GLASSFORMER_ASSETS, or `assets` beside or above the program. Throws Error
/// saying where it looked.
std::filesystem::path assets_folder();

/// The folder of the catalogues of other languages (use_language): `locale` beside the program, or share/locale above
/// it.
std::filesystem::path locale_folder();

/// The folder that --model names: a folder that is there (its model.safetensors will do), or else a model that comes
/// with the program ("homonyms"). What is neither is given back as it is.
std::string model_folder(const std::string& model);

}  // namespace glassformer::app
