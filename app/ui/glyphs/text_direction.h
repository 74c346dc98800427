#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer::app {

/// The characters that are drawn for a text, each with the source byte where it begins: a control character is drawn as
/// a blank, a byte of invalid UTF-8 as ⟨E5⟩.
struct DrawnCharacters {
    std::u32string points;
    std::vector<std::size_t> source;  ///< one more element than points

    explicit DrawnCharacters(std::string_view text);
};

/// The bidi level of each character (FriBidi): even runs left to right, odd right to left.
struct BidiLevels {
    std::vector<signed char> levels;
    bool right_to_left = false;  ///< the whole text is

    explicit BidiLevels(const std::u32string& points);
};

/// True if a text runs from right to left: more of its letters do than do not. So a Hebrew sentence with an English
/// word begins at the right, and an English one that quotes a Hebrew word at the left. A line with an arrow is one of
/// the app's own and begins at the left, since the arrow gives the order of the words beside it.
bool runs_right_to_left(std::string_view text);

}  // namespace glassformer::app
