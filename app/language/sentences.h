#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace glassformer::app {

/// Translates a sentence from core. Core does not know the language and writes finished English sentences with numbers
/// and names in them: "held-out sense accuracy passed 90 %: 95.2 %". The matching pattern is "{1} passed {2}: {3}", and
/// the placeholders' contents are translated in the same way. If several patterns match, the one that, together with
/// its placeholders, translates the most text wins. Text without a pattern stays as it is.
std::string tr_sentence(std::string_view text);

/// The same to stand alone in the window: with a full stop, and with a capital unless it begins with a file's name.
std::string tr_full_sentence(std::string_view text);

/// An error's message in the chosen language.
inline std::string tr(const std::exception& error) { return tr_sentence(error.what()); }

}  // namespace glassformer::app
