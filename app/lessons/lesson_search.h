#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace glassformer::app {

/// Returns the first step that mentions something, ignoring case; −1: none; 0 also if the whole lesson is about it.
int step_about(const Lesson& lesson, const std::string& something);
/// Returns the first step that shows a view, before or after its question; −1: none.
int step_with_view(const Lesson& lesson, std::string_view view);
/// Returns the first lesson with such a step; −1: none.
int first_with_view(const std::vector<std::shared_ptr<const Lesson>>& lessons, std::string_view view);

}  // namespace glassformer::app
