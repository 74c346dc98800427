#pragma once

#include <string>
#include <vector>

#include "app/common/view_state.h"
#include "app/lessons/lesson.h"

namespace glassformer::app {

/// What a step's scene on screen asks for and its model does not have, each with its field: "A: the model does not know
/// \"dragon\"". The window shows something else there without a word; an author has to know.
std::vector<std::string> not_of_model(const LessonStep& step, const Scene& scene, const Snapshot& snapshot,
                                      const ViewState& state);

}  // namespace glassformer::app
