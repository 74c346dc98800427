#pragma once

#include <cstddef>
#include <string_view>

namespace glassformer {

/// Damerau–Levenshtein distance: the fewest insertions, deletions, replacements and swaps of neighbours that turn one
/// text into the other, where no piece is edited twice (the "optimal string alignment" form).
std::size_t edit_distance(std::u32string_view from, std::u32string_view to);

}  // namespace glassformer
