#pragma once

#include <span>
#include <vector>

namespace glassformer {

/// A word at its place in a sentence: the residual stream there.
struct WordUse {
    int position = 0;
    std::span<const float> stream;
};

/// From so many uses at one position on, the mean of that position is taken out; else that of all uses.
inline constexpr int enough_at_position = 5;

/// The cosine of the stream of `here` with that of each of the `uses`, which are of the same word: both without what
/// any use of this word has there, the mean over the uses at its position (of `enough_at_position` or more), else over
/// all. So neither the word itself nor its place makes two uses alike. In double; 0 where one of both has no direction
/// left.
std::vector<double> centred_cosines(const WordUse& here, std::span<const WordUse> uses);

}  // namespace glassformer
