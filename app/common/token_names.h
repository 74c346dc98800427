#pragma once

#include <string>

#include "app/session/snapshot.h"

namespace glassformer::app {

/// What people call one token of this model: "word", "syllable"; of a model of numbers, whose tokens are rows of them,
/// "position".
std::string token_name(const ModelInfo& model);
/// The same of several; of `count` of them.
std::string token_names(const ModelInfo& model, std::int64_t count = 2);

}  // namespace glassformer::app
