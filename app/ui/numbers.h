#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <type_traits>

namespace glassformer::app {

/// A number as pixels and shares are computed.
template <class Number>
requires std::is_arithmetic_v<Number>
constexpr float to_float(Number value) { return static_cast<float>(value); }

/// How many there are, as rows, words and items are counted.
template <class Range>
constexpr int int_size(const Range& range) {
    return static_cast<int>(std::size(range));
}

/// The largest |value|; 0 of none.
inline float largest_size(std::span<const float> values) {
    float largest = 0;
    for (const float value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace glassformer::app
