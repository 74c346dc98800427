#pragma once

#include "app/ui/heat_texture.h"
#include "app/ui/ui.h"
#include "core/analysis/head_scores.h"

namespace glassformer::app {

/// Draws a pattern as a small picture in the attention colours.
void draw_head_picture(const Ui& ui, const PatternPicture& picture, const HeatKey& key, const Box& box);

/// Covers one of the `rows` rows of such a picture, to hide its weights.
void cover_row(const Ui& ui, int row, int rows, const Box& box);

/// The large picture in a tooltip, with its words if there is room for them.
struct HeadPreview {
    const PatternPicture& picture;
    HeatKey key;
    std::string_view title, numbers;
    std::span<const std::string> words;    ///< by row and column; empty: no words
    int lit_row = -1;                      ///< the chosen word's row; −1: none
    int hidden_by_quiz = -1, queries = 0;  ///< the covered row (−1: none), and the number of the pattern's rows
};
void head_tooltip(const Ui& ui, const HeadPreview& preview);

}  // namespace glassformer::app
