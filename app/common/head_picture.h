#pragma once

#include "app/ui/heat_texture.h"
#include "app/ui/ui.h"
#include "core/analysis/head_scores.h"

namespace glassformer::app {

/// A pattern as a small picture in the attention colours.
void draw_head_picture(const Ui& ui, const PatternPicture& picture, const HeatKey& key, const Box& box);

/// Over one of the `rows` rows that such a picture shows, whose weights are not told.
void cover_row(const Ui& ui, int row, int rows, const Box& box);

/// The large one that a tooltip shows: with its words where there is room for them.
struct HeadPreview {
    const PatternPicture& picture;
    HeatKey key;
    std::string_view title, numbers;
    std::span<const std::string> words;    ///< by row and column; none: without
    int lit_row = -1;                      ///< the chosen word's, −1 for none
    int hidden_by_quiz = -1, queries = 0;  ///< a row that is covered, of so many that the pattern has
};
void head_tooltip(const Ui& ui, const HeadPreview& preview);

}  // namespace glassformer::app
