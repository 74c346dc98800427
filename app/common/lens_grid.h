#pragma once

#include <array>

#include "app/common/frame.h"
#include "app/common/lens_reading.h"

/// The logit lens's grid: a column per word, a row per layer, the last on top. A cell is what the model would predict
/// there if this block were its last.
namespace glassformer::app {

/// The grids' scroll positions.
struct LensGridState {
    std::array<int, 2> scrolled{-1, -1};  // by card: the token last scrolled into view
};

/// Sizes in one frame, in pixels.
struct LensGrid {
    float labels = 0;  // width of the layer names
    float heading = 0, row = 0, column = 0;
    float bar = 0;  // height of the scroll bar; 0 if all words fit
    int layers = 0, positions = 0;

    float height() const { return heading + row * static_cast<float>(layers) + bar; }
};

/// The columns share the width; if that would cut their words, they scroll.
LensGrid lens_grid(const Frame& frame, LensReading& lens, int slot, float width);

/// Registers cells as "A/lens <layer> <position>", with the probability and the word. A click chooses the token; in the
/// last layer it also opens the probability, in any other it chooses the block.
void draw_lens_grid(const Frame& frame, LensReading& lens, const LensGrid& grid, ImVec2 at, float width, int slot);

/// "the embedding", "block 0".
std::string_view lens_layer_name(const Frame& frame, int layer);
/// The word with that ID, "▢" for the mask.
std::string vocabulary_word(const Frame& frame, int id);
/// The cell of P(word) at a position: the trace's own number.
Cell probability_cell(const Trace& trace, int position, int word);

}  // namespace glassformer::app
