#pragma once

#include <string>

#include "app/session/snapshot.h"

namespace glassformer::app {

/// The noun for one token of this model: "word", "syllable"; for a model of numbers, whose tokens are rows of them,
/// "position".
std::string token_name(const ModelInfo& model);
/// Its plural; or the form for `count` of them.
std::string token_names(const ModelInfo& model, std::int64_t count = 2);

}  // namespace glassformer::app
