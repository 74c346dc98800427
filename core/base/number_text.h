#pragma once

#include <optional>
#include <string>
#include <string_view>

/// How numbers are written for people, in the whole program: never C's "5e-05", and no zeros that say nothing. A minus
/// is ASCII's here; the window makes it a real one.
namespace glassformer {

/// So many digits that say something, in full from 0.00001 to 999999: "0.5", "3470", "0.00005". Beyond that with a
/// power of ten: "2.1·10⁻⁷". Whole numbers keep all their digits. "∞", "-∞", "NaN".
std::string significant(double value, int digits = 3);

/// The same without powers of ten, however small or large: what a person can type back.
std::string typed_number(double value, int digits = 6);

/// So many decimals, as in a column: "0.50", "-2.00". Never "-0.00". Where that would be a row of digits, from a
/// million on, and where it is no number, as significant() writes it; without decimals whole numbers keep all their
/// digits.
std::string with_decimals(double value, int decimals = 2);

/// What a text says that is one number in whole, as typed_number() writes it or with a power of ten: "-0.5", "3e-4".
std::optional<float> number_in_text(std::string_view text);

}  // namespace glassformer
