#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"

namespace glassformer::app {

/// Options to open the model in a folder, or the shipped model of homonyms if that is empty. Sentences not given are
/// replaced with samples of its world.
Session::Options session_options(const std::string& model, const std::optional<std::string>& a = {},
                                 const std::optional<std::string>& b = {});

}  // namespace glassformer::app
