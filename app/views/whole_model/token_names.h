#pragma once

#include <string>

#include "app/views/whole_model/canvas.h"

namespace glassformer::app::views::whole_model {

/// What people call one token of this model: "word", "syllable"; of a model of numbers, whose tokens are rows of them,
/// "place".
std::string token_name(const Canvas& canvas);
/// The same of several.
std::string token_names(const Canvas& canvas);
std::string token_names(const ModelInfo& model);

}  // namespace glassformer::app::views::whole_model
