#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace glassformer {

/// The answer of contains(): true or false to the code, but a CHECK that fails prints the whole text.
struct Contained {
    bool found;
    std::string text;

    operator bool() const { return found; }
    Contained operator!() const { return {!found, text}; }
    friend std::ostream& operator<<(std::ostream& out, const Contained& answer) { return out << answer.text; }
};

inline Contained contains(std::string_view text, std::string_view part) {
    return {text.find(part) != std::string_view::npos, std::string(text)};
}

}  // namespace glassformer
