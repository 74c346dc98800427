#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace glassformer::app {

/// A sentence of core in the chosen language. Core draws nothing and writes its sentences in English, with numbers and
/// names in them: "held-out sense accuracy passed 90 %: 95.2 %". It is found by its pattern, "{1} passed {2}: {3}";
/// what is in the places is looked up in the same way. Of several patterns that one is meant which, with those in its
/// places, explains the most of the text. What is of no pattern stays as it is.
std::string tr_sentence(std::string_view text);

/// What an error says, in the chosen language.
inline std::string tr(const std::exception& error) { return tr_sentence(error.what()); }

}  // namespace glassformer::app
