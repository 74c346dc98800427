#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

/// What to compare: the kinds for the top bar and the palette, and card B's own controls.
namespace glassformer::app {

/// One way to use the two cards; if `both` is false, a single card.
struct CompareKind {
    std::string_view name;  ///< "two heads"
    bool both = true;
    Comparing::What what = Comparing::What::sentences;
};

/// Returns the kinds that this model and its training offer; a single card comes first.
std::vector<CompareKind> compare_kinds(const Frame& frame);
/// Returns the index of the active kind in `kinds`; −1 if it is no longer offered.
int compare_kind(const Frame& frame, std::span<const CompareKind> kinds);
/// Returns the short name, "heads"; "off" for a single card.
std::string_view compare_name(const Frame& frame);
/// Switches to a kind. Heads start with the chosen one and its neighbour, models with the included one of the same
/// world, steps with the first.
void compare_by(const Frame& frame, const CompareKind& kind);

/// Draws the top bar's list, under the label "compare".
void draw_compare_choice(const Frame& frame, const Box& box, std::string_view shown);

/// Draws the choice of the other head, model or step at the right of card B's headline; returns its left edge. Not for
/// two sentences.
float draw_compare_controls(const Frame& frame, const Box& box);
/// Draws a field for the folder of another model below the headline; returns its bottom.
float draw_compare_folder(const Frame& frame, const Box& box);

}  // namespace glassformer::app
