#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/palette/entries.h"

namespace glassformer::app {

/// Opens the folder of a model or a run, after asking about unsaved training; shows a message if it is neither.
void open_place(const Frame& frame, const std::filesystem::path& folder);

/// Returns the entries of the page "Open model…": recent places, the Hugging Face cache, the program's own models and
/// the desktop's dialog, filtered by the typed name. Once a path is typed, it lists the folders there: models and runs
/// are opened, other folders are entered.
std::vector<PaletteEntry> open_place_entries(const Frame& frame, const std::string& typed);
/// Returns the entries of the page "Open lesson…": lessons and folders of the home folder, or of the typed path.
std::vector<PaletteEntry> open_lesson_entries(const Frame& frame, const std::string& typed);

}  // namespace glassformer::app
