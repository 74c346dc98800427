#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace glassformer {

namespace {

constexpr int least_in_full = -5;  // as a power of ten
constexpr double too_large = 1e6;

/// The power of ten of the first digit after rounding.
int exponent_of(double value, int digits) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*e", digits - 1, value);
    return std::atoi(std::string_view(text.data()).substr(std::string_view(text.data()).find('e') + 1).data());
}

std::string fixed(double value, int decimals) {
    std::array<char, 400> text{};
    std::snprintf(text.data(), text.size(), "%.*f", std::max(0, decimals), value);
    std::string number = text.data();
    if (number.find('.') == std::string::npos) return number;
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    return number;
}

std::string raised(int power) {
    static constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = power < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(power))) text += digits[digit - '0'];
    return text;
}

/// The text for 0 and for non-finite values; empty for all others.
std::string unusual(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
    return value == 0.0 ? "0" : "";
}

}  // namespace

std::string typed_number(double value, int digits) {
    const std::string special = unusual(value);
    return special.empty() ? fixed(value, digits - 1 - exponent_of(value, digits)) : special;
}

std::string significant(double value, int digits) {
    if (const std::string special = unusual(value); !special.empty()) return special;
    const int power = exponent_of(value, digits);
    return power >= least_in_full && std::abs(value) < too_large ? fixed(value, digits - 1 - power)
                                                                 : with_power(value, digits);
}

std::string with_power(double value, int digits) {
    if (const std::string special = unusual(value); !special.empty()) return special;
    const int power = exponent_of(value, digits);
    return fixed(value / std::pow(10.0, power), digits - 1) + "·10" + raised(power);
}

std::string with_decimals(double value, int decimals) {
    if (!std::isfinite(value) || std::abs(value) >= (decimals > 0 ? too_large : too_large * 1e9))
        return significant(value);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    const std::string_view number = text.data();
    const bool zero = number.find_first_not_of("-0.") == std::string_view::npos;
    return std::string(zero && number.front() == '-' ? number.substr(1) : number);
}

std::string grouped(std::int64_t n) {
    std::string text = std::to_string(n);
    const std::size_t sign = n < 0 ? 1 : 0;
    if (text.size() - sign < 5) return text;
    for (std::size_t at = text.size() - 3; at > sign; at = at > 3 ? at - 3 : 0) text.insert(at, ",");
    return text;
}

std::optional<float> number_in_text(std::string_view text) {
    float value = 0;
#ifdef __cpp_lib_to_chars
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
#else  // libc++'s from_chars reads only integers
    const std::string copy(text);
    if (copy.empty() || copy.find_first_not_of("-.0123456789einfa") != copy.npos) return std::nullopt;
    char* end = nullptr;
    errno = 0;
    value = std::strtof(copy.c_str(), &end);
    if (errno != 0 || end != copy.c_str() + copy.size()) return std::nullopt;
#endif
    return value;
}

}  // namespace glassformer
