#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/common/frame.h"
#include "app/common/head_trace.h"
#include "app/common/signed_map.h"
#include "app/ui/cell_grid.h"

/// The numbers of the view of queries, keys and values, without the drawing: three matrices [word × d_head] of the
/// chosen head, and how they were made.
namespace glassformer::app::views::qkv {

/// One of the three matrices.
struct QkvMatrix {
    char letter = 'q';
    const char* name = "query";  // its name in words
    int node = -1;               // [pos, head, width]
    std::int64_t first = 0;      // offset of word 0, component 0 of the chosen head
    std::int64_t stride = 0;     // from one word to the next
    int words = 0, width = 0;
    std::string weights;          // "W_Q"; empty where x itself is used
    std::int64_t weights_in = 0;  // rows of the weights: the width of x
    bool bias = false;
    bool of_source = false;  // its rows are the words of the source sentence

    Cell cell(int word, int component) const { return {node, first + word * stride + component}; }
    /// The colour map of its values; its position is still to be set.
    SignedMap map(const std::shared_ptr<const Trace>& trace) const;
};

/// q, k and v of the chosen head in a sentence; none if the model has no attention.
std::optional<std::array<QkvMatrix, 3>> qkv_matrices(const Frame& frame, int slot);

/// The colours of q, k and v, for shapes and for text.
ImU32 qkv_colour(const Theme& theme, char letter);
ImU32 qkv_text_colour(const Theme& theme, char letter);

/// Draws x · W + b = q k v as a row of shapes; returns the bottom.
float draw_qkv_shapes(const Frame& frame, int slot, const std::array<QkvMatrix, 3>& matrices, const Box& box);

/// A word picked from a list instead of the chosen one; forgotten when another one is chosen.
struct PickedWord {
    int word = -1, token = -1, instead_of = -1;
};

/// The settings of the view: its page, and what the pages of circuits show.
struct QkvLook {
    enum Page { vectors_page, scores_page, circuits_page, distance_page, words_page };
    int page = vectors_page;
    int distance = 0;        ///< with rotary positions: how far a key stands before its query
    bool with_norms = true;  ///< for the circuits in words: with norms and biases, or the matrices alone
    std::array<PickedWord, 2> picked;
};

/// Draws Q·Kᵀ, ÷ √d, masked, softmax: the whole matrices, one after the other.
float draw_qkv_scores(const Frame& frame, const HeadTrace& head, const Box& box);
/// Draws the results of all heads side by side, times W_O; below them, what this head looks for and hands over.
float draw_qkv_circuits(const Frame& frame, const HeadTrace& head, const Box& box);
/// Draws what this head looks for and hands over, as pairs of words of the whole vocabulary.
float draw_qkv_words(const Frame& frame, const HeadTrace& head, const Box& box);
/// Draws the control for QkvLook::distance; returns its bottom.
float draw_distance_control(const Frame& frame, const HeadTrace& head, const Box& box);
/// Draws the nearest pattern that depends on distance alone, and its filter.
float draw_qkv_distance(const Frame& frame, const HeadTrace& head, const Box& box);

struct WordMatrix {
    std::string_view name;          ///< of its items: "A/name", and "A/name row column" for its cells
    std::string title, meaning;     ///< above it, and its tooltip
    std::span<const float> values;  ///< [query, key]
    HeatColours colours = HeatColours::signed_values;
    float range = 1;  ///< |value| that gets the full colour
    HeatKey key = {};
    /// The values of the chosen head that the cells show: they can be opened. Null: they are not numbers of the trace.
    const HeadTrace::Values* of = nullptr;
    bool sum_of_row = false;  ///< the sum of the chosen row is below
};

/// Draws from the top of the box down, across its width; returns the bottom. Masked cells are dots. The row of the
/// chosen word is framed.
float draw_word_matrix(const Frame& frame, const HeadTrace& head, const WordMatrix& matrix, const Box& box);

/// The largest finite |value|, for WordMatrix::range.
float largest_finite(std::span<const float> values);

}  // namespace glassformer::app::views::qkv
