#pragma once

#include <string>
#include <string_view>

namespace glassformer::app {

/// A sentence of core in the chosen language. Core draws nothing and writes its sentences in English, with numbers and
/// names in them: "held-out sense accuracy passed 90 %: 95.2 %". It is found by its pattern, "{1} passed {2}: {3}", and
/// what is in the places is looked up in the same way. What is of no pattern stays as it is.
std::string tr_sentence(std::string_view text);

}  // namespace glassformer::app
