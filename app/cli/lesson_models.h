#pragma once

#include <filesystem>
#include <string>

#include "app/lessons/lesson.h"
#include "app/session/session.h"

namespace glassformer::app {

/// A file, or one of the program's lessons by the name of its file: in the chosen language, where there is such a file.
/// Throws Error where there is neither.
std::filesystem::path lesson_file(const std::string& name);

/// One of the program's, by a name that somebody else gave: nothing else on this machine is read.
std::filesystem::path shipped_lesson_file(const std::string& name);

/// The first model of a lesson: shipped, or untrained where it is to be trained from a seed; `model` where that is
/// given. Throws Error where a lesson that is to be trained for names no model.
Session::Options session_for(const Lesson& lesson, bool untrained, const std::string& model = {});

}  // namespace glassformer::app
