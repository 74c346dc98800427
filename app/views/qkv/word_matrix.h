#pragma once

#include <string>

#include "app/common/head_trace.h"
#include "app/ui/cell_grid.h"

/// A matrix of a sentence's words against the words that they look at, drawn small, with the words beside and above it.
namespace glassformer::app::views::qkv {

struct WordMatrix {
    std::string_view name;          ///< of its items: "A/name", its cells "A/name row column"
    std::string title, meaning;     ///< over it, and its tooltip
    std::span<const float> values;  ///< [query, key]
    HeatColours colours = HeatColours::signed_values;
    float range = 1;  ///< |value| of the full colour
    HeatKey key = {};
    /// Whose cells they are, of the chosen head: they can be opened. Null: they are no numbers of the trace.
    const HeadTrace::Values* of = nullptr;
    bool sum_of_row = false;  ///< the chosen row's sum is below
};

/// From the top of the box on, over its width; returns the bottom. What the mask hides is a dot. The chosen word's row
/// wears a frame.
float draw_word_matrix(const Frame& frame, const HeadTrace& head, const WordMatrix& matrix, const Box& box);

/// The largest finite |value|, for WordMatrix::range.
float largest_finite(std::span<const float> values);

}  // namespace glassformer::app::views::qkv
