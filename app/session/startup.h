#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"

namespace glassformer::app {

/// The model in a folder, without one the shipped model of homonyms, with samples of its world where no sentence is
/// given.
Session::Options session_options(const std::string& model, const std::optional<std::string>& a = {},
                                 const std::optional<std::string>& b = {});

}  // namespace glassformer::app
