#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/common/frame.h"
#include "app/common/signed_map.h"

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

}  // namespace glassformer::app::views::qkv
