#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/common/provenance.h"
#include "app/common/signed_map.h"
#include "app/common/what_if_changes.h"
#include "app/common/word_alignment.h"
#include "app/views/what_if/what_if_pages.h"
#include "core/analysis/patching.h"

/// The patching section: what_if_patches.cpp has its controls, what_if_patch_grid.cpp its results.
namespace glassformer::app::views::what_if {

/// What is patched from the other sentence, chosen per pair of sentences.
struct PatchChoice {
    int node = 0;               // PatchedNode, or kind_head: the parts of the chosen head
    int source = 0;             // PatchSource; only for a head
    int word = -1, minus = -1;  // the words whose logit difference is shown; −1: the likeliest in either sentence
    std::array<std::string, 2> sentences;
};

/// The state of the view.
struct WhatIfState {
    std::array<PatchChoice, 2> patch;  // into A, into B
};

/// The likeliest words at the chosen position, in the patched sentence and then in the other.
struct Candidates {
    std::array<std::vector<int>, 2> of;  // [0: patched, 1: the other]
    std::vector<int> all;
};

/// Draws the section of one sentence; lives for one call.
class Patches {
public:
    // Pixels at 100 %.
    static constexpr float control_height = 26, row_gap = 6, longest_label = 64, cell_height = 22, cell_least = 14,
                           cell_most = 44, kinds_width = 272, sources_width = 200, word_width = 96, bar_height = 6;
    static constexpr int kind_head = 3;  // follows those of PatchedNode

    Patches(const Frame& frame, const Box& box, int slot)
        : frame_(frame),
          ui_(frame.ui),
          box_(box),
          slot_(slot),
          position_(frame.state.token[slot]),
          choice_(frame.state.own<WhatIfState>().patch[slot]),
          aligned_(patch_alignment(frame, slot)) {}
    float draw();

private:
    /// The position in the other sentence that `position` is patched from; −1: none.
    int partner(int position) const { return aligned_.words.empty() ? position : aligned_.words[position]; }
    std::string partner_name(int column) const;
    bool in_sight(int slot, int position) const;
    void say_which_words();
    void say_what_is_in_sight();
    void find_words();
    void say_of_which_model();
    void title();
    void kinds();
    void head_choice();
    void words();
    int word_choice(const char* item, const Box& box, int chosen);
    void answer();
    void progress(const PatchStudy& study);
    void grid(const PatchStudy& study);
    void cross_out(const SignedMap& map, int row, int column);
    void mark(const PatchStudy& study, const SignedMap& map) const;
    void mark_cell(const Box& cell, double effect, ImU32 ink) const;
    void legend(const PatchStudy& study, float left);
    void headings(const PatchStudy& study, const SignedMap& map);
    void use(const PatchStudy& study, const CellHit& hit);
    bool of_head() const { return choice_.node == kind_head; }
    PatchSource source() const { return of_head() ? static_cast<PatchSource>(choice_.source) : PatchSource::other; }
    AttentionTo to() const { return of_head() ? chosen_attention(frame_.state) : AttentionTo::itself; }
    /// Number of columns that are words of the source; they come before the others.
    int source_columns() const { return to() == AttentionTo::source ? original(slot_).model().source_positions : 0; }
    bool is_every(int column) const { return column >= source_columns() + original(slot_).positions(); }
    HeadChoice head() const { return {frame_.state.layer, frame_.state.head}; }
    PatchedPlaces places() const;
    bool nothing_at(int row, int column) const;
    std::string why_nothing(int row, int column) const;
    WhatIf patch_at(int row, int column) const;
    std::string row_name(int row) const;
    std::string column_name(int column) const;
    std::string effect_text(const PatchStudy& study, int row, int column) const;
    const Trace& original(int slot) const {
        const WatchedSentence& s = frame_.sentence(slot);
        return s.original ? *s.original : *s.trace;
    }
    std::string_view label(const char* what) const { return ui_.items->of_card(slot_, "patch %s", what); }
    Box next_row() { return box_.cut_top(ui_.px(control_height), ui_.px(row_gap)); }
    /// Draws the text; returns where it is.
    Box say(std::string_view text) {
        const draw::TextStyle style{FontRole::small, ui_.theme->text_muted};
        return box_.cut_top(draw::text_wrapped(ui_, box_.min, box_.width(), text, style) + ui_.px(row_gap));
    }

    const Frame& frame_;
    const Ui& ui_;
    Box box_;  // what is left of the box
    int slot_, position_;
    PatchChoice& choice_;
    PatchAlignment aligned_;
    Candidates candidates_;
    int word_ = -1, minus_ = -1;
};

}  // namespace glassformer::app::views::what_if
