#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"

namespace glassformer::app {

/// Of one lesson.
inline constexpr int most_lesson_pictures = 16;

/// The bytes of a lesson's picture, by its path in the lesson's folder. Throws Error with a sentence that says what is
/// wrong and what to do.
using PictureSource = std::function<std::string(const std::string& file)>;
/// Pictures that lie in this folder, and not outside of it, whatever links there are.
PictureSource pictures_in(const std::filesystem::path& folder);

/// "![what it shows](file.png)", all of a paragraph: the picture, which is still to be loaded, and what it shows. A
/// text that is no picture gives none. Throws Error where it is one that cannot be.
std::optional<LiveText::Piece> parse_picture(std::string_view paragraph, int line);

/// Loads it; where that fails, the picture has a problem. `source` may be empty: then there are no pictures.
LessonPicture load_picture(const LessonPicture& wanted, const PictureSource& source);

}  // namespace glassformer::app
