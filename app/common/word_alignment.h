#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "core/analysis/head_part.h"

namespace glassformer::app {

/// A word of two sentences laid over each other: its places in A and in B, −1 where it is not in one.
struct AlignedWord {
    int a = -1, b = -1;
    bool both() const { return a >= 0 && b >= 0; }
    bool operator==(const AlignedWord&) const = default;
};

/// Lays two sentences over each other so that as many equal words as possible coincide, in order (a longest common
/// subsequence). Where words of both stand between two that coincide, A's come first. `anchor` names places that are to
/// coincide whatever that costs, where it is in both. O(|a| · |b|) time and memory.
std::vector<AlignedWord> align_words(std::span<const std::string> a, std::span<const std::string> b,
                                     const AlignedWord& anchor = {});

/// The places of the word with two meanings, where both sentences have the same one: it coincides with itself, whatever
/// that costs.
AlignedWord same_homonym(const Frame& frame);

/// From where in the other sentence each place of a card's sentence is patched. Sentences of one length: from the same
/// place (empty), unless the same word is chosen in both, at different places. Else from the same word, and the two
/// chosen words belong together, so that a person can say which do.
PatchPartners patch_partners(const Frame& frame, int slot);
/// The same with the sentences that are translated, where there are any.
PatchAlignment patch_alignment(const Frame& frame, int slot);

}  // namespace glassformer::app
