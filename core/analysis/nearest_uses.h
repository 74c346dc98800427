#pragma once

#include <span>
#include <vector>

namespace glassformer {

/// A word at its position in a sentence, with the residual stream there.
struct WordUse {
    int position = 0;
    std::span<const float> stream;
};

/// With at least this many uses at a position, the mean of that position is subtracted; otherwise the mean of all uses.
inline constexpr int enough_at_position = 5;

/// Returns the cosine between the stream of `here` and that of each of `uses`, all of the same word. Both are centred
/// first: minus the mean of the uses at the same position if there are `enough_at_position`, else minus the mean of all
/// uses. So neither the word itself nor its position makes two uses similar. Computed in double; 0 if either vector is
/// zero after centring.
std::vector<double> centred_cosines(const WordUse& here, std::span<const WordUse> uses);

}  // namespace glassformer
