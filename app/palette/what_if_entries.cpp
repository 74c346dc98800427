#include "app/common/key_names.h"
#include "app/common/what_if_changes.h"
#include "app/palette/entries.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

using Entries = std::vector<PaletteEntry>;

/// A switch: what it says while the part is there, and while it is not.
void add_switch(const Frame& frame, Entries& entries, const WhatIf& change, const std::string& off,
                const std::string& on, const char* keywords, std::string_view key = "") {
    if (!why_not(frame, change).empty()) return;
    entries.push_back({is_changed(frame, change) ? on : off, "what if", keywords, std::string(key),
                       [change](const Frame& f) { toggle_change(f, change); }, 1});
}

void add_heads(const Frame& frame, Entries& entries, int block, AttentionTo to) {
    const bool cross = to == AttentionTo::source;
    for (int head = 0; head < frame.snapshot.model->config.n_heads; ++head) {
        const std::string name =
            (cross ? "cross-attention head " : "head ") + std::to_string(head) + " of block " + std::to_string(block);
        const bool chosen =
            block == frame.state.layer && head == frame.state.head && cross == frame.state.cross_attention;
        add_switch(frame, entries, what_if::HeadOff{block, head, to}, "Switch off " + name,
                   "Switch " + name + " on again", cross ? "ablate without source" : "ablate without attention",
                   chosen ? key_name::switch_head : "");
    }
}

void add_parts(const Frame& frame, Entries& entries) {
    using namespace what_if;
    const TransformerConfig& config = frame.snapshot.model->config;
    for (int block = 0; block < config.n_layers; ++block) {
        const std::string of = " of block " + std::to_string(block);
        add_switch(frame, entries, AttentionOff{block}, "Switch off the attention" + of,
                   "Switch the attention" + of + " on again", "ablate without");
        add_switch(frame, entries, MlpOff{block}, "Switch off the MLP" + of, "Switch the MLP" + of + " on again",
                   "ablate without");
        add_heads(frame, entries, block, AttentionTo::itself);
        add_switch(frame, entries, AttentionOff{block, AttentionTo::source}, "Switch off the cross-attention" + of,
                   "Switch the cross-attention" + of + " on again", "ablate without source");
        add_heads(frame, entries, block, AttentionTo::source);
    }
}

void add_model(const Frame& frame, Entries& entries) {
    using namespace what_if;
    add_switch(frame, entries, PositionsOff{}, "No positions", "Positions again", "switch off order ablate without");
    add_switch(frame, entries, MaskOff{}, "No mask", "The mask again", "switch off causal future ablate without");
    add_switch(frame, entries, ScaleOff{}, "No scale", "The scale again", "switch off √d divide ablate without");
    add_switch(frame, entries, NormOff{}, "No LayerNorm", "LayerNorm again", "switch off normalization ablate without");
    add_switch(frame, entries, ResidualOff{}, "No residual stream", "The residual stream again",
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
    for (const Mode& m : {Mode{HeadMode::learned, "Attention of the chosen head: learned", "what if as it is"},
                          Mode{HeadMode::uniform, "Attention of the chosen head: uniform", "what if even average"},
                          Mode{HeadMode::hard, "Attention of the chosen head: hard", "what if largest argmax one"}})
        if (head_mode(frame, block, head, to) != m.mode)
            entries.push_back(
                {m.title, "what if", m.keywords, "",
                 [block, head, to, mode = m.mode](const Frame& f) { set_head_mode(f, block, head, to, mode); }, 1});
    entries.push_back({"Paint a row of the pattern", "what if", "attention weights by hand draw keyboard arrows", "",
                       [](const Frame& f) { start_painting(f); }, 1});
}

}  // namespace

void add_what_if(const Frame& frame, Entries& entries) {
    if (!what_if_changes(frame).empty())
        entries.push_back({"Restore the model: undo every change", "what if", "undo altered original reset",
                           std::string(key_name::restore), [](const Frame& f) { restore_model(f); }});
    add_parts(frame, entries);
    add_model(frame, entries);
    add_head_modes(frame, entries);
}

}  // namespace glassformer::app
