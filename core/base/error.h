#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "core/base/filled.h"

namespace glassformer {

/// The only exception type that the library throws. The message names what is wrong (a file, a flag, a tensor, a word)
/// and, where possible, what to do about it; it is written for the user.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}

    /// Error("{1} has no token {2}", path, id); what() is in English. The build collects these patterns for
    /// translation, and app's tr_sentence() recognises the message by its pattern, so a pattern must be one literal and
    /// a whole sentence.
    template <typename... Places>
    requires(sizeof...(Places) > 0) explicit Error(std::string_view pattern, const Places&... places)
        : std::runtime_error(filled_with(pattern, places...)) {}
};

}  // namespace glassformer
