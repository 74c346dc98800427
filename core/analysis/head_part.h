#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/interventions.h"

/// The parts of one attention head that can be put into another run.
namespace glassformer {

enum class HeadPart { q, k, v, pattern, z };
/// By HeadPart.
inline constexpr std::array<std::string_view, 5> head_part_names{"q", "k", "v", "pattern", "z"};

/// Where a patch takes its values from: the other sentence's run, the mean over the words of its own, or the mean over
/// the words of sentences of the model's world.
enum class PatchSource { other, mean, world };

/// By position of the patched sentence: the position of the other whose activation is put there; −1: none is. Empty:
/// the same position, of sentences of one length.
using PatchPartners = std::vector<int>;

/// Whether the positions of a part are those of the sentence that is translated: the keys and values of the attention
/// to it. All other parts are of the words that attend.
inline bool is_of_source(HeadPart part, AttentionTo to) {
    return to == AttentionTo::source && (part == HeadPart::k || part == HeadPart::v);
}

/// The place of a part of a head, at one position or at all (−1). With grouped queries k and v are those of the group,
/// and the head is the group's number.
HookPoint place_of(const TransformerConfig& config, int block, int head, HeadPart part, int position = -1,
                   AttentionTo to = AttentionTo::itself);

/// The heads that a patch of a part reaches, the head itself among them: with grouped queries k and v are shared.
std::vector<int> heads_sharing(const TransformerConfig& config, int head, HeadPart part);

/// The other parts that are the same numbers as this one: q, k and v of attention that has one projection or none; of
/// the attention to the source k and v alone.
std::vector<HeadPart> parts_sharing(const TransformerConfig& config, HeadPart part,
                                    AttentionTo to = AttentionTo::itself);

}  // namespace glassformer
