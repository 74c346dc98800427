#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace glassformer {

/// Returns `pattern` with {1}, {2} … up to {9} replaced by `pieces`; numbered because a translation may need another
/// order. A number without a piece is left as it is.
std::string filled(std::string_view pattern, std::initializer_list<std::string_view> pieces);

/// A name that the user must type exactly: translation leaves text in quotation marks alone.
inline std::string quoted_name(std::string_view name) { return "\"" + std::string(name) + "\""; }

/// Converts a placeholder's value to text: a text, a path or an integer.
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

/// filled() with the texts of `places`.
template <typename... Places>
std::string filled_with(std::string_view pattern, const Places&... places) {
    const std::initializer_list<std::string> texts{place_text(places)...};
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return filled(pattern, {std::string_view(texts.begin()[i])...});
    }
    (std::index_sequence_for<Places...>{});
}

}  // namespace glassformer
