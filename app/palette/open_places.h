#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/palette/entries.h"

namespace glassformer::app {

/// Opens a folder of a model or of a run, after the question about trainings that are not saved; tells where it is
/// neither.
void open_place(const Frame& frame, const std::filesystem::path& folder);

/// What the page "Open model…" lists: what was opened lately, what lies in the cache of Hugging Face's programs, the
/// program's own models and the desktop's dialog, or those of them that a typed name finds; once a path is typed, the
/// folders there, of which models and runs are opened and the others are gone into.
std::vector<PaletteEntry> open_place_entries(const Frame& frame, const std::string& typed);
/// What the page "Open lesson…" lists: lessons and folders of the home folder, or of the path that is typed.
std::vector<PaletteEntry> open_lesson_entries(const Frame& frame, const std::string& typed);

}  // namespace glassformer::app
