#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/common/frame.h"
#include "app/common/head_trace.h"
#include "app/common/signed_map.h"
#include "app/ui/cell_grid.h"

/// What the view of queries, keys and values shows: three matrices [word × d_head] of the chosen head and how they were
/// made, without how it is drawn.
namespace glassformer::app::views::qkv {

/// One of the three.
struct QkvMatrix {
    char letter = 'q';
    const char* name = "query";  // what it is called in words
    int node = -1;               // [pos, head, width]
    std::int64_t first = 0;      // offset of word 0, component 0 of the chosen head
    std::int64_t stride = 0;     // from one word to the next
    int words = 0, width = 0;
    std::string weights;          // "W_Q"; empty where x itself is used
    std::int64_t weights_in = 0;  // rows of the weights: the width of x
    bool bias = false;
    bool of_source = false;  // its rows are the words of the source sentence

    Cell cell(int word, int component) const { return {node, first + word * stride + component}; }
    /// The colours' grid, its place still to be set.
    SignedMap map(const std::shared_ptr<const Trace>& trace) const;
};

/// q, k and v of the chosen head in a sentence; none where the model has no attention.
std::optional<std::array<QkvMatrix, 3>> qkv_matrices(const Frame& frame, int slot);

/// The colour that belongs to one of them, for shapes and for words.
ImU32 qkv_colour(const Theme& theme, char letter);
ImU32 qkv_text_colour(const Theme& theme, char letter);

/// x · W + b = q k v as a row of shapes; returns where it ends.
float draw_qkv_shapes(const Frame& frame, int slot, const std::array<QkvMatrix, 3>& matrices, const Box& box);

/// A word that was picked from a list, instead of the chosen one; forgotten when another one is chosen.
struct PickedWord {
    int word = -1, token = -1, instead_of = -1;
};

/// Which page the cards show, and of which circuits.
struct QkvLook {
    enum Page { vectors_page, scores_page, circuits_page, distance_page, words_page };
    int page = vectors_page;
    int distance = 0;        ///< of rotary positions: how far a key stands before its query
    bool with_norms = true;  ///< the circuits in words
    std::array<PickedWord, 2> picked;
};

/// Q·Kᵀ, ÷ √d, masked, softmax: the whole matrices, one after the other.
float draw_qkv_scores(const Frame& frame, const HeadTrace& head, const Box& box);
/// The results of all heads side by side, times W_O; below, what this head looks for and hands over.
float draw_qkv_circuits(const Frame& frame, const HeadTrace& head, const Box& box);
/// What this head looks for and hands over, as pairs of words of the whole vocabulary.
float draw_qkv_words(const Frame& frame, const HeadTrace& head, const Box& box);
/// The choice of QkvLook::distance; returns its bottom.
float draw_distance_control(const Frame& frame, const HeadTrace& head, const Box& box);
/// The nearest pattern that knows distances alone, and its filter.
float draw_qkv_distance(const Frame& frame, const HeadTrace& head, const Box& box);

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
