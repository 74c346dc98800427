#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

/// How the whole program writes numbers for people: never C's "5e-05", and no meaningless zeros. The minus sign is
/// ASCII's here; the window replaces it with a true one.
namespace glassformer {

/// `digits` significant digits, written in full from 0.00001 to 999999: "0.5", "3470", "0.00005". Outside that range
/// with a power of ten: "2.1·10⁻⁷". Written in full, all digits of the integer part are kept. Also "∞", "-∞", "NaN".
std::string significant(double value, int digits = 3);

/// The same always with a power of ten, where there is little room: "1.7·10⁵".
std::string with_power(double value, int digits);

/// significant() without powers of ten, however small or large: something that can be typed back in.
std::string typed_number(double value, int digits = 6);

/// A fixed number of decimals, as in a column: "0.50", "-2.00". Never "-0.00". From a million on (from 10¹⁵ without
/// decimals), and if it is not finite, as significant() writes it.
std::string with_decimals(double value, int decimals = 2);

/// A count: "9999", "122,752": digits are grouped in threes from five digits on.
std::string grouped(std::int64_t n);

/// Parses a text that is exactly one number, as typed_number() writes it or with a power of ten: "-0.5", "3e-4".
std::optional<float> number_in_text(std::string_view text);

/// Parses a text that is exactly one whole number of that type: "12", "-3".
template <class Whole>
std::optional<Whole> whole_in_text(std::string_view text) {
    Whole value = 0;
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && read == end ? std::optional(value) : std::nullopt;
}

}  // namespace glassformer
