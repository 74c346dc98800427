#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "core/base/filled.h"

namespace glassformer {

/// The one exception type that the library throws. The message names the thing that is wrong (a file, a flag, a
/// tensor, a word) and, where there is one, what to do about it; it is written for the person at the screen.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}

    /// Error("{1} has no token {2}", path, id): what() is in English. The build collects these patterns for
    /// translation, and app's tr_sentence() finds the message again by its pattern; so a pattern is one literal, a
    /// whole sentence.
    template <typename... Places>
    requires(sizeof...(Places) > 0) explicit Error(std::string_view pattern, const Places&... places)
        : std::runtime_error(filled_with(pattern, places...)) {}
};

}  // namespace glassformer
