#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace glassformer {

/// `pattern` with `pieces` in the places of {1}, {2} …, up to {9}: a translation may need them in another order. What
/// is no piece's number stays.
std::string filled(std::string_view pattern, std::initializer_list<std::string_view> pieces);

/// A name that is to be typed as it is: a translation leaves what is in quotation marks alone.
inline std::string quoted_name(std::string_view name) { return "\"" + std::string(name) + "\""; }

/// What goes into a place of a pattern: a text, a path, a whole number.
inline std::string place_text(std::string_view text) { return std::string(text); }
inline std::string place_text(const char* text) { return text; }
inline std::string place_text(char sign) { return std::string(1, sign); }
template <typename Path>
requires requires(const Path& path) { path.generic_string(); }
std::string place_text(const Path& path) { return path.string(); }
template <std::integral Number>
std::string place_text(Number number) {
    return std::to_string(number);
}

/// `pattern` with the texts of `places` in {1}, {2} …
template <typename... Places>
std::string filled_with(std::string_view pattern, const Places&... places) {
    const std::initializer_list<std::string> texts{place_text(places)...};
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return filled(pattern, {std::string_view(texts.begin()[i])...});
    }
    (std::index_sequence_for<Places...>{});
}

}  // namespace glassformer
