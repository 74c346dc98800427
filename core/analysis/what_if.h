#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/analysis/head_part.h"

/// "What if you were not there?" One list of reversible changes to a model, used by the window's switches, by undo, and
/// by the scenes of lessons.
namespace glassformer {

namespace what_if {

/// A head writes nothing: its z is 0 everywhere.
struct HeadOff {
    int block = 0, head = 0;
    AttentionTo to = AttentionTo::itself;
    bool operator==(const HeadOff&) const = default;
};
/// The stream bypasses a block's attention, or its MLP.
struct AttentionOff {
    int block = 0;
    AttentionTo to = AttentionTo::itself;
    bool operator==(const AttentionOff&) const = default;
};
struct MlpOff {
    int block = 0;
    bool operator==(const MlpOff&) const = default;
};
/// Word order is hidden: no position is added, queries and keys are not rotated, and distance costs nothing.
struct PositionsOff {
    bool operator==(const PositionsOff&) const = default;
};
/// Every word may attend to every other one, including later ones (causal models).
struct MaskOff {
    bool operator==(const MaskOff&) const = default;
};
/// Scores are not divided by √d_head.
struct ScaleOff {
    bool operator==(const ScaleOff&) const = default;
};
/// No normalization anywhere, and no γ or β.
struct NormOff {
    bool operator==(const NormOff&) const = default;
};
/// A layer's output replaces the stream instead of being added to it.
struct ResidualOff {
    bool operator==(const ResidualOff&) const = default;
};
/// All learned γ and β of one norm are multiplied; 1 and 1 change nothing.
struct NormScaled {
    std::string norm = "blocks.0.ln1";  // prefix of its parameter names
    float gamma = 1, beta = 1;
    bool operator==(const NormScaled&) const = default;
};
/// A head attends to all allowed keys equally (uniform), or only to the key with the largest score (hard).
struct UniformAttention {
    int block = 0, head = 0;
    AttentionTo to = AttentionTo::itself;
    bool operator==(const UniformAttention&) const = default;
};
struct HardAttention {
    int block = 0, head = 0;
    AttentionTo to = AttentionTo::itself;
    bool operator==(const HardAttention&) const = default;
};
/// A row of one sentence's pattern, painted by hand.
struct AttentionRow {
    int slot = 0;  // of which sentence: 0 is A, 1 is B
    int block = 0, head = 0, query = 0;
    std::vector<float> weights;  // [key]
    AttentionTo to = AttentionTo::itself;
    bool operator==(const AttentionRow&) const = default;
};
/// Puts an activation of the other sentence's own run into this sentence's run.
struct Patch {
    int slot = 0;  // the sentence that is patched
    HookPoint from, to;
    bool operator==(const Patch&) const = default;
};

/// Patches a part of one head at one word or at all words: its query, key or value as used for the scores, a row of its
/// pattern, or its mix z before W_O. In attention to the source, keys and values are at words of the source.
struct HeadPatch {
    int slot = 0;  // the sentence that is patched
    int block = 0, head = 0;
    HeadPart part = HeadPart::v;
    int position = -1;  // −1: every word
    PatchSource source = PatchSource::other;
    PatchPartners partners = {};  // by position, as in a patch grid; empty if the source is a mean
    AttentionTo to = AttentionTo::itself;
    PatchPartners source_partners = {};  // the same for the source sentence, in attention to it
    bool operator==(const HeadPatch&) const = default;
};

}  // namespace what_if

using WhatIf = std::variant<what_if::HeadOff, what_if::AttentionOff, what_if::MlpOff, what_if::PositionsOff,
                            what_if::MaskOff, what_if::ScaleOff, what_if::NormOff, what_if::ResidualOff,
                            what_if::UniformAttention, what_if::HardAttention, what_if::AttentionRow, what_if::Patch,
                            what_if::NormScaled, what_if::HeadPatch>;

/// The name of a change in the badge and the palette: "block 1 · head 0 off". Blocks, heads and rows count from 0.
/// `word`: the word at the position of a head patch, shown in its name.
std::string describe(const WhatIf& change, std::string_view word = {});

/// The sentence that a change applies to: 0 is A, 1 is B, −1 both.
int slot_of(const WhatIf& change);

/// Why a change makes no sense in models of this config, as one phrase ("this model has no normalization"); empty if it
/// does. Whether it fits a sentence is up to WhatIfTracer::refusal().
std::string refusal(const WhatIf& change, const TransformerConfig& config);

}  // namespace glassformer
