#pragma once

#include <filesystem>

#include "app/lessons/lesson.h"

namespace glassformer::app {

/// Reads a lesson; its format is told at the head of assets/lessons/1_two_kinds_of_bat.lesson. Throws Error
/// "name:line: field: what is wrong".
Lesson parse_lesson(const std::string& source, const std::string& name);
/// The same for a file; the lesson's name is the file's, without what follows.
Lesson load_lesson(const std::filesystem::path& file);
/// "de" of "1_bat.de.lesson", which is "1_bat.lesson" in German; empty where the name says none.
std::string language_of_lesson(const std::filesystem::path& file);

}  // namespace glassformer::app
