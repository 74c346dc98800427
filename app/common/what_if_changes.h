#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

/// The changes to the model as the window's switches see them: what is asked for now, and how one more is asked for.
namespace glassformer::app {

/// The changes to the model that were asked for, until the snapshot shows what came of them.
struct WhatIfAsked {
    std::optional<std::vector<WhatIf>> changes;
};

/// What was asked for last, even where the worker has not shown it yet: two quick clicks are two changes.
const std::vector<WhatIf>& what_if_changes(const Frame& frame);
bool is_changed(const Frame& frame, const WhatIf& change);
/// Makes the change, or takes it back where it was made.
void toggle_change(const Frame& frame, const WhatIf& change);
/// The same, where it makes sense for this model.
void toggle_if_possible(const Frame& frame, const WhatIf& change);
/// A row takes the place of the one that was painted there before.
void paint_row(const Frame& frame, what_if::AttentionRow row);
/// γ and β of the norm are multiplied by these, and by nothing else; 1 and 1 take it back.
void scale_norm(const Frame& frame, const what_if::NormScaled& norm);
/// Whether patching means something here: two sentences of a model that says words.
bool can_patch(const Frame& frame);
/// A part of a head in a card's sentence, at a word or at all (−1), from the other sentence's or from a mean.
/// `alignment`: patch_alignment() of the card.
what_if::HeadPatch head_patch(int slot, HeadChoice head, AttentionTo to, HeadPart part, int position,
                              PatchSource source, PatchAlignment alignment);
/// What a change is called on the screen, with the word that it is at.
std::string change_text(const Frame& frame, const WhatIf& change);
/// What they are multiplied by now.
what_if::NormScaled norm_scale(const Frame& frame, const std::string& norm);
/// These, and no others.
void make_changes(const Frame& frame, std::vector<WhatIf> changes);
/// Takes every change back.
void restore_model(const Frame& frame);

/// How a head shares out its attention.
enum class HeadMode { learned, uniform, hard };
HeadMode head_mode(const Frame& frame, int block, int head, AttentionTo to);
void set_head_mode(const Frame& frame, int block, int head, AttentionTo to, HeadMode mode);

/// Whether a branch has removed a head from the model of a card; `encoder`: on the side that reads the source sentence.
bool is_removed(const Frame& frame, int slot, bool encoder, int block, int head, AttentionTo to = AttentionTo::itself);
/// Which attention the chosen head is of.
AttentionTo chosen_attention(const ViewState& state);
/// Switches the chosen head off, or on again.
void toggle_chosen_head(const Frame& frame);

/// Whether the changes are made in what a card shows: not in another model that is compared with.
bool is_altered(const Frame& frame, int slot);

/// Whether nothing of a head, or of an MLP, goes on in what a card shows: it was removed or switched off, or all of its
/// block's attention was.
bool shows_head_off(const Frame& frame, int slot, int block, int head, AttentionTo to);
bool shows_mlp_off(const Frame& frame, int slot, int block);
/// What makes a word's attention weights in what a card shows: "softmax", "hardmax", or a change that was made to them.
std::string_view weights_title(const Frame& frame, int slot, int block, int head, int query, AttentionTo to);

/// Why a change makes no sense for this model, in one sentence; empty where it does.
std::string why_not(const Frame& frame, const WhatIf& change);

/// A head that is off: faded and crossed out, over its picture.
void draw_crossed_out(const Ui& ui, const Box& box);

/// Follows the explained numbers into the graph of a changed model, where nodes of one name may have other indices.
/// Without a counterpart the explanation follows the chosen word again.
void carry_trail(ViewState& state, const Snapshot& before, const Snapshot& now);

}  // namespace glassformer::app
