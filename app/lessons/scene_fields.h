#pragma once

#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace glassformer::app {

/// Fields that say one thing about a scene: "A", "head", "view", "generate" …
std::vector<std::string_view> scene_fields();
/// Sets one of them; false where there is none of that name. Throws Error saying what the value should be.
bool set_scene_field(Scene& scene, std::string_view field, std::string_view value, int line);

/// One {…} and nothing else; throws Error with `what` it should be.
Expression one_expression(std::string_view text, int line, const char* what);
/// The index of one of the names, which a person may have chosen from the message.
int one_of_names(std::string_view value, std::initializer_list<std::string_view> names);

}  // namespace glassformer::app
