#pragma once

#include <filesystem>

#include "app/lessons/lesson.h"

namespace glassformer::app {

/// Reads a lesson; its format is told at the head of assets/lessons/1_two_kinds_of_bat.lesson. Throws Error
/// "name:line: field: what is wrong".
Lesson parse_lesson(const std::string& source, const std::string& name);
/// The same for a file; `name` is its stem.
Lesson load_lesson(const std::filesystem::path& file);

}  // namespace glassformer::app
