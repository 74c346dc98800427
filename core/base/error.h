#pragma once

#include <stdexcept>
#include <string>

namespace glassformer {

/// The one exception type that the library throws. The message names the thing that is wrong (a file, a flag, a
/// tensor, a word) and, where there is one, what to do about it; it is written for the person at the screen.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace glassformer
