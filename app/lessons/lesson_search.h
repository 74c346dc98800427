#pragma once

#include <string>

#include "app/lessons/lesson.h"

namespace glassformer::app {

/// The first step of a lesson that speaks of something, in any case of letters; −1: none; 0 where the whole lesson is
/// about it.
int step_about(const Lesson& lesson, const std::string& something);

}  // namespace glassformer::app
