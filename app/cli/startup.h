#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"

namespace glassformer::app {

inline constexpr const char* first_sentence = "He swung the bat and hit a foul.";
inline constexpr const char* second_sentence = "A bat flew out of the cave at dusk.";

/// The homonym world with the model given, or the shipped one; the sentences of the lecture notes where none is given.
Session::Options session_options(const std::string& model, const std::optional<std::string>& a = {},
                                 const std::optional<std::string>& b = {});

}  // namespace glassformer::app
