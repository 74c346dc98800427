#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace glassformer {

/// The texts of a range's elements, as `text_of` makes them, with a separator between each two, empty
/// ones included: "a, b, c".
template <class Range, class TextOf = std::identity>
std::string join(const Range& range, std::string_view separator, const TextOf& text_of = {}) {
    std::string all;
    std::string_view before;
    for (const auto& element : range) {
        all += before;
        all += std::invoke(text_of, element);
        before = separator;
    }
    return all;
}

}  // namespace glassformer
