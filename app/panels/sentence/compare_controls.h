#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

/// What is compared: the kinds for the top bar and the palette, and card B's own controls.
namespace glassformer::app {

/// One way to use the two cards. Without `what` there is one card alone.
struct CompareKind {
    std::string_view name;  ///< "two heads"
    bool both = true;
    Comparing::What what = Comparing::What::sentences;
};

/// Those that this model and its training offer, one card alone first.
std::vector<CompareKind> compare_kinds(const Frame& frame);
/// Which of `kinds` is on screen; −1 for one that is no longer offered.
int compare_kind(const Frame& frame, std::span<const CompareKind> kinds);
/// "heads", in short; "off" for one card alone.
std::string_view compare_name(const Frame& frame);
/// Turns to a kind. Heads begin with the chosen one and its neighbour, models with the shipped one of the same world,
/// steps with the first.
void compare_by(const Frame& frame, const CompareKind& kind);

/// The top bar's list, under the label "compare".
void draw_compare_choice(const Frame& frame, const Box& box, std::string_view shown);

/// At the right of card B's headline: the other head, model or step to choose; returns where they begin. Not for two
/// sentences.
float draw_compare_controls(const Frame& frame, const Box& box);
/// A field for the folder of another model, below the headline; returns its bottom.
float draw_compare_folder(const Frame& frame, const Box& box);

}  // namespace glassformer::app
