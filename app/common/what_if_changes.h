#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

/// The what-if changes to the model as the window's switches see them: those requested now, and how to request another.
namespace glassformer::app {

/// The requested changes, until the snapshot shows their result.
struct WhatIfAsked {
    std::optional<std::vector<WhatIf>> changes;
};

/// The changes requested last, even if the worker has not shown them yet: two quick clicks are two changes.
const std::vector<WhatIf>& what_if_changes(const Frame& frame);
bool is_changed(const Frame& frame, const WhatIf& change);
/// Makes the change, or reverts it if it was made.
void toggle_change(const Frame& frame, const WhatIf& change);
/// The same, if it makes sense for this model.
void toggle_if_possible(const Frame& frame, const WhatIf& change);
/// Paints a row, replacing one that was painted there before.
void paint_row(const Frame& frame, what_if::AttentionRow row);
/// Multiplies γ and β of the norm by these instead of any earlier factors; 1 and 1 revert it.
void scale_norm(const Frame& frame, const what_if::NormScaled& norm);
/// True if patching makes sense here: two sentences of an attention model that predicts words.
bool can_patch(const Frame& frame);
/// A patch of part of a head in a card's sentence, at one word or every word (−1), from the other sentence or a mean.
/// `alignment`: patch_alignment() of the card.
what_if::HeadPatch head_patch(int slot, HeadChoice head, AttentionTo to, HeadPart part, int position,
                              PatchSource source, PatchAlignment alignment);
/// A change's name on the screen, with the word that it is at.
std::string change_text(const Frame& frame, const WhatIf& change);
/// The norm's current factors.
what_if::NormScaled norm_scale(const Frame& frame, const std::string& norm);
/// Requests exactly these changes.
void make_changes(const Frame& frame, std::vector<WhatIf> changes);
/// Reverts every change.
void restore_model(const Frame& frame);

/// How a head distributes its attention.
enum class HeadMode { learned, uniform, hard };
HeadMode head_mode(const Frame& frame, int block, int head, AttentionTo to);
void set_head_mode(const Frame& frame, int block, int head, AttentionTo to, HeadMode mode);

/// True if a branch has removed a head from a card's model; `encoder`: a head of the encoder.
bool is_removed(const Frame& frame, int slot, bool encoder, int block, int head, AttentionTo to = AttentionTo::itself);
/// The attention that the chosen head belongs to.
AttentionTo chosen_attention(const ViewState& state);
/// Switches the chosen head off, or on again.
void toggle_chosen_head(const Frame& frame);

/// True if the changes apply to what a card shows; they do not apply to another model beside it.
bool is_altered(const Frame& frame, int slot);

/// True if a head, or an MLP, contributes nothing to what a card shows: it was removed or switched off, or all of its
/// block's attention was.
bool shows_head_off(const Frame& frame, int slot, int block, int head, AttentionTo to);
bool shows_mlp_off(const Frame& frame, int slot, int block);
/// What computes a word's attention weights in a card: "softmax", "hardmax", or a change made to them.
std::string_view weights_title(const Frame& frame, int slot, int block, int head, int query, AttentionTo to);

/// Why a change makes no sense for this model, in one sentence; empty if it does.
std::string why_not(const Frame& frame, const WhatIf& change);

/// Fades and crosses out the picture of a head that is off.
void draw_crossed_out(const Ui& ui, const Box& box);

/// Moves the explained numbers to the graph of a changed model, where nodes of the same name may have other indices. If
/// one has no counterpart, the explanation follows the chosen word again.
void carry_trail(ViewState& state, const Snapshot& before, const Snapshot& now);

}  // namespace glassformer::app
