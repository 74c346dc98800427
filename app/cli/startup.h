#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"

namespace glassformer::app {

inline constexpr const char* first_sentence = "He swung the bat and hit a foul.";
inline constexpr const char* second_sentence = "A bat flew out of the cave at dusk.";

/// The model in a folder (its model.safetensors will do), with samples of its world where no sentence is given; without
/// a folder, the shipped model of homonyms with the sentences of the lecture notes.
Session::Options session_options(const std::string& model, const std::optional<std::string>& a = {},
                                 const std::optional<std::string>& b = {});

}  // namespace glassformer::app
