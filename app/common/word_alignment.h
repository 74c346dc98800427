#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "core/analysis/head_part.h"

namespace glassformer::app {

/// A word of two aligned sentences: its positions in A and in B; −1 if it is not in one.
struct AlignedWord {
    int a = -1, b = -1;
    bool both() const { return a >= 0 && b >= 0; }
    bool operator==(const AlignedWord&) const = default;
};

/// Aligns two sentences so that as many equal words as possible match, in order (a longest common subsequence). Between
/// two matches, A's words come first. `anchor` names positions that match at any cost, if it is in both. O(|a| · |b|)
/// time and memory.
std::vector<AlignedWord> align_words(std::span<const std::string> a, std::span<const std::string> b,
                                     const AlignedWord& anchor = {});

/// What makes the words of a card equal to words of the other one: their text. Where two models read one text, which
/// they may cut into different tokens ("▁bat" and "bat"), it is the characters of the text that a token stands for.
std::vector<std::string> names_to_align(const Frame& frame, int slot, bool source = false);

/// The positions of the homonym, if both sentences have the same one: it matches itself, at any cost.
AlignedWord same_homonym(const Frame& frame);

/// The position in the other sentence from which each position of a card's sentence is patched. In sentences of equal
/// length: the same position (returns empty), unless the same word is chosen in both at different positions. Else that
/// of the same word, and the two chosen words are partners, so that the user decides.
PatchPartners patch_partners(const Frame& frame, int slot);
/// The same, with the source sentences if there are any.
PatchAlignment patch_alignment(const Frame& frame, int slot);

}  // namespace glassformer::app
