#pragma once

#include <string>

#include "app/common/frame.h"

namespace glassformer::app {

/// What is on screen as a step of a lesson's file: every field that its scene has, so that the step does not hang on
/// those before it. What a lesson cannot make (a painted row, a patch) is in a comment. `title` is the step's; its
/// text is left to the author.
std::string step_of_screen(const Frame& frame, const std::string& title);

/// The lines above the first step.
std::string lesson_head(const std::string& title, const ModelInfo& model);

}  // namespace glassformer::app
