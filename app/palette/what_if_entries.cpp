#include "app/common/what_if_changes.h"
#include "app/common/word_alignment.h"
#include "app/language/tr.h"
#include "app/palette/entries.h"
#include "app/panels/help/key_names.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

using Entries = std::vector<PaletteEntry>;

/// Adds a switch, with one title while the part is present and another while it is not.
void add_switch(const Frame& frame, Entries& entries, const WhatIf& change, const Title& off, const Title& on,
                const char* keywords, std::string_view key = "") {
    if (!why_not(frame, change).empty()) return;
    const Title& title = is_changed(frame, change) ? on : off;
    entries.push_back({title.name, N_("what if"), keywords, std::string(key),
                       [change](const Frame& f) { toggle_change(f, change); }, 1, title.shown});
}

void add_heads(const Frame& frame, Entries& entries, int block, AttentionTo to) {
    const bool cross = to == AttentionTo::source;
    for (int head = 0; head < frame.snapshot.model->config.n_heads; ++head) {
        const bool chosen =
            block == frame.state.layer && head == frame.state.head && cross == frame.state.cross_attention;
        add_switch(frame, entries, what_if::HeadOff{block, head, to},
                   cross ? titled("Switch off cross-attention head %d of block %d", head, block)
                         : titled("Switch off head %d of block %d", head, block),
                   cross ? titled("Switch cross-attention head %d of block %d on again", head, block)
                         : titled("Switch head %d of block %d on again", head, block),
                   cross ? "ablate without source" : "ablate without attention", chosen ? key_name::switch_head : "");
    }
}

void add_parts(const Frame& frame, Entries& entries) {
    using namespace what_if;
    const TransformerConfig& config = frame.snapshot.model->config;
    for (int block = 0; block < config.n_layers; ++block) {
        add_switch(frame, entries, AttentionOff{block}, titled("Switch off the attention of block %d", block),
                   titled("Switch the attention of block %d on again", block), "ablate without");
        add_switch(frame, entries, MlpOff{block}, titled("Switch off the MLP of block %d", block),
                   titled("Switch the MLP of block %d on again", block), "ablate without");
        add_heads(frame, entries, block, AttentionTo::itself);
        add_switch(frame, entries, AttentionOff{block, AttentionTo::source},
                   titled("Switch off the cross-attention of block %d", block),
                   titled("Switch the cross-attention of block %d on again", block), "ablate without source");
        add_heads(frame, entries, block, AttentionTo::source);
    }
}

void add_model(const Frame& frame, Entries& entries) {
    using namespace what_if;
    add_switch(frame, entries, PositionsOff{}, titled("No positions"), titled("Positions back on"),
               "switch off order ablate without");
    add_switch(frame, entries, MaskOff{}, titled("No mask"), titled("Mask back on"),
               "switch off causal future ablate without");
    add_switch(frame, entries, ScaleOff{}, titled("No scale"), titled("Scale back on"),
               "switch off √d divide ablate without");
    add_switch(frame, entries, NormOff{}, titled("No LayerNorm"), titled("LayerNorm back on"),
               "switch off normalization ablate without");
    add_switch(frame, entries, ResidualOff{}, titled("No residual stream"), titled("Residual stream back on"),
               "switch off connection skip ablate without");
}

void add_head_modes(const Frame& frame, Entries& entries) {
    const int block = frame.state.layer, head = frame.state.head;
    const AttentionTo to = chosen_attention(frame.state);
    if (!why_not(frame, what_if::UniformAttention{block, head, to}).empty()) return;
    struct Mode {
        HeadMode mode;
        const char *title, *keywords;
    };
    for (const Mode& m : {Mode{HeadMode::learned, N_("Attention of the chosen head: learned"), "what if as it is"},
                          Mode{HeadMode::uniform, N_("Attention of the chosen head: uniform"), "what if even average"},
                          Mode{HeadMode::hard, N_("Attention of the chosen head: hard"), "what if largest argmax one"}})
        if (head_mode(frame, block, head, to) != m.mode)
            entries.push_back(
                {m.title, N_("what if"), m.keywords, "",
                 [block, head, to, mode = m.mode](const Frame& f) { set_head_mode(f, block, head, to, mode); }, 1});
    entries.push_back({N_("Paint a row of the pattern"), N_("what if"),
                       "attention weights by hand draw keyboard arrows", "", [](const Frame& f) { start_painting(f); },
                       1});
}

Title patch_title(const Frame& frame, const what_if::HeadPatch& patch) {
    const char* const part = head_part_names[static_cast<std::size_t>(patch.part)].data();
    const char* const other = Frame::letter(1 - patch.slot);
    if (patch.position < 0)
        return patch.source == PatchSource::mean
                   ? titled("Patch %s of the chosen head at every word from the mean", part)
               : patch.source == PatchSource::world
                   ? titled("Patch %s of the chosen head at every word from the mean over its world", part)
                   : titled("Patch %s of the chosen head at every word from %s", part, other);
    const std::string word = frame.word(patch.slot, patch.position);
    return patch.source == PatchSource::mean
               ? titled("Patch %s of the chosen head at “%s” from the mean", part, word.c_str())
               : titled("Patch %s of the chosen head at “%s” from %s", part, word.c_str(), other);
}

/// Adds the parts of the chosen head, at the chosen word and at all words.
void add_head_patches(const Frame& frame, Entries& entries) {
    const int slot = frame.state.slot, token = frame.state.token[slot];
    if (!can_patch(frame) || token < 0) return;
    const AttentionTo to = chosen_attention(frame.state);
    const HeadChoice head{frame.state.layer, frame.state.head};
    const PatchAlignment aligned = patch_alignment(frame, slot);
    for (std::size_t part = 0; part < head_part_names.size(); ++part)
        for (const PatchSource source : {PatchSource::other, PatchSource::mean, PatchSource::world})
            for (const int position : {token, -1}) {
                if (position >= 0 && is_of_source(static_cast<HeadPart>(part), to)) continue;  // wrong kind of word
                if (source == PatchSource::world && (position >= 0 || frame.snapshot.model->averaged_sentences == 0 ||
                                                     part == std::size_t(HeadPart::pattern)))
                    continue;
                const what_if::HeadPatch patch =
                    head_patch(slot, head, to, static_cast<HeadPart>(part), position, source, aligned);
                if (position >= 0 && !patch.partners.empty() && patch.partners[position] < 0) continue;
                const Title title =
                    is_changed(frame, patch)
                        ? Title{"Take back: " + describe(patch), filled(tr("Undo: {1}"), {change_text(frame, patch)})}
                        : patch_title(frame, patch);
                entries.push_back({title.name, N_("what if"), "activation patching swap intervene replace", "",
                                   [patch](const Frame& f) { toggle_change(f, patch); }, 1, title.shown});
            }
}

}  // namespace

void add_what_if(const Frame& frame, Entries& entries) {
    if (!what_if_changes(frame).empty())
        entries.push_back({N_("Restore the model: undo every change"), N_("what if"), "undo altered original reset",
                           std::string(key_name::restore), [](const Frame& f) { restore_model(f); }});
    add_parts(frame, entries);
    add_model(frame, entries);
    add_head_modes(frame, entries);
    add_head_patches(frame, entries);
}

}  // namespace glassformer::app
