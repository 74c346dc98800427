#pragma once

#include <filesystem>

#include "app/film/film_folder.h"

namespace glassformer::app {

/// Whether a film of that name is one file: *.mp4 or *.gif. Else it is a folder of pictures.
bool is_film_file(const std::filesystem::path& path);

/// Throws Error where a film cannot become that file: ffmpeg, which makes it, is not installed, or there is something
/// of that name already. To be asked before the pictures are made.
void require_film_file(const std::filesystem::path& file);

/// Makes one file of the pictures, which may take long. Throws Error with what ffmpeg said.
void write_film(const FilmFolder& pictures, const std::filesystem::path& file, double pictures_a_second);

}  // namespace glassformer::app
