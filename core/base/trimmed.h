#pragma once

#include <string_view>

namespace glassformer {

/// The text without leading and trailing blanks.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\v\f") {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace glassformer
