#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/analysis/interventions.h"

/// The parts of one attention head that can be patched into another run.
namespace glassformer {

enum class HeadPart { q, k, v, pattern, z };
/// Indexed by HeadPart.
inline constexpr std::array<std::string_view, 5> head_part_names{"q", "k", "v", "pattern", "z"};

/// Where a patch takes its values from: the other sentence's run, the mean over the words of the patched sentence's own
/// run, or the mean over the words of sentences of the model's world.
enum class PatchSource { other, mean, world };

/// For each position of the patched sentence, the position of the other sentence whose activation goes there; −1: none.
/// Empty: the same position, for sentences of equal length.
using PatchPartners = std::vector<int>;

/// True if a part has the positions of the source sentence of a translation: the keys and values of the attention to
/// it. All other parts have the positions of the queries.
inline bool is_of_source(HeadPart part, AttentionTo to) {
    return to == AttentionTo::source && (part == HeadPart::k || part == HeadPart::v);
}

/// The hook point of a head's part, at one position or at all (−1). With grouped queries, k and v are those of the
/// group, and `head` of the result is the group's number.
HookPoint place_of(const TransformerConfig& config, int block, int head, HeadPart part, int position = -1,
                   AttentionTo to = AttentionTo::itself);

/// The heads that a patch of a part affects, including the head itself: with grouped queries, k and v are shared.
std::vector<int> heads_sharing(const TransformerConfig& config, int head, HeadPart part);

/// The other parts that hold the same numbers as this one: among q, k and v if attention has one projection or none;
/// only between k and v in attention to the source.
std::vector<HeadPart> parts_sharing(const TransformerConfig& config, HeadPart part,
                                    AttentionTo to = AttentionTo::itself);

}  // namespace glassformer
