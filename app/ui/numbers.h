#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <type_traits>

namespace glassformer::app {

/// Converts to float, as used for pixels and fractions.
template <class Number>
requires std::is_arithmetic_v<Number>
constexpr float to_float(Number value) { return static_cast<float>(value); }

/// The number of elements as an int.
template <class Range>
constexpr int int_size(const Range& range) {
    return static_cast<int>(std::size(range));
}

/// The largest |value|; 0 if there are none.
inline float largest_size(std::span<const float> values) {
    float largest = 0;
    for (const float value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace glassformer::app
