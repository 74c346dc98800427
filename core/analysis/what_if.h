#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/analysis/head_part.h"

/// "What if you were not there?" One list of changes to a model, each of which can be taken back: what the window's
/// switches say, what undo remembers, what a lesson's scene can ask for.
namespace glassformer {

namespace what_if {

/// A head writes nothing: its z is 0 everywhere.
struct HeadOff {
    int block = 0, head = 0;
    AttentionTo to = AttentionTo::itself;
    bool operator==(const HeadOff&) const = default;
};
/// The stream passes a block's attention, or its MLP, by.
struct AttentionOff {
    int block = 0;
    AttentionTo to = AttentionTo::itself;
    bool operator==(const AttentionOff&) const = default;
};
struct MlpOff {
    int block = 0;
    bool operator==(const MlpOff&) const = default;
};
/// Word order is not told: no position is added, queries and keys are not turned, distance costs nothing.
struct PositionsOff {
    bool operator==(const PositionsOff&) const = default;
};
/// Every word may read every other one, the future too (causal models).
struct MaskOff {
    bool operator==(const MaskOff&) const = default;
};
/// Scores are not divided by √d_head.
struct ScaleOff {
    bool operator==(const ScaleOff&) const = default;
};
/// No normalization anywhere, nor its γ and β.
struct NormOff {
    bool operator==(const NormOff&) const = default;
};
/// A layer's output takes the place of the stream instead of being added to it.
struct ResidualOff {
    bool operator==(const ResidualOff&) const = default;
};
/// The learned γ and β of one norm are multiplied, all of them: with 1 and 1 nothing changes.
struct NormScaled {
    std::string norm = "blocks.0.ln1";  // its prefix
    float gamma = 1, beta = 1;
    bool operator==(const NormScaled&) const = default;
};
/// A head looks at all allowed keys alike; or at the one with the largest score alone.
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
/// An activation of the other sentence's own run is put into this one's.
struct Patch {
    int slot = 0;  // the sentence that gets it
    HookPoint from, to;
    bool operator==(const Patch&) const = default;
};

/// A part of one head, at one word or at every one: its query, key or value as they are before the scores, a row of its
/// pattern, its mix z before W_O. Keys and values of the attention to the source are at words of the source.
struct HeadPatch {
    int slot = 0;  // the sentence that gets it
    int block = 0, head = 0;
    HeadPart part = HeadPart::v;
    int position = -1;  // −1: every word
    PatchSource source = PatchSource::other;
    PatchPartners partners = {};  // by position, as a patch grid has them; none where it is from a mean
    AttentionTo to = AttentionTo::itself;
    PatchPartners source_partners = {};  // the same of the sentence that is translated, for the attention to it
    bool operator==(const HeadPatch&) const = default;
};

}  // namespace what_if

using WhatIf = std::variant<what_if::HeadOff, what_if::AttentionOff, what_if::MlpOff, what_if::PositionsOff,
                            what_if::MaskOff, what_if::ScaleOff, what_if::NormOff, what_if::ResidualOff,
                            what_if::UniformAttention, what_if::HardAttention, what_if::AttentionRow, what_if::Patch,
                            what_if::NormScaled, what_if::HeadPatch>;

/// What the badge and the palette call a change: "block 1 · head 0 off". Blocks, heads and rows count from 0. `word`:
/// that at the position of a head's patch, which is then named by it.
std::string describe(const WhatIf& change, std::string_view word = {});

/// The sentence that a change is made in: 0 is A, 1 is B; −1 both.
int slot_of(const WhatIf& change);

/// Why a change makes no sense in models of this config, in one phrase ("this model has no normalization"); empty where
/// it does. Whether it fits a sentence is for WhatIfTracer::refusal() to say.
std::string refusal(const WhatIf& change, const TransformerConfig& config);

}  // namespace glassformer
