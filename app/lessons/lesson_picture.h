#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"

namespace glassformer::app {

/// Limit per lesson.
inline constexpr int most_lesson_pictures = 16;

/// Returns the bytes of a lesson's picture, by its path in the lesson's folder. Throws Error with a sentence saying
/// what is wrong and what to do.
using PictureSource = std::function<std::string(const std::string& file)>;
/// Reads pictures from inside this folder only, even through links.
PictureSource pictures_in(const std::filesystem::path& folder);

/// Parses "![what it shows](file.png)" if that is the whole paragraph: returns the picture, not yet loaded, and its
/// description. Returns none for any other text. Throws Error for an invalid picture.
std::optional<LiveText::Piece> parse_picture(std::string_view paragraph, int line);

/// Loads a picture; if that fails, sets its `problem`. An empty `source` has no pictures.
LessonPicture load_picture(const LessonPicture& wanted, const PictureSource& source);

}  // namespace glassformer::app
