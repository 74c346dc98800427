#pragma once

#include <array>

#include "app/common/frame.h"
#include "app/common/lens_reading.h"

/// The grid of the logit lens: a column a word, a row a layer, the last on top; a cell is what the model would say
/// there if its last block were this one.
namespace glassformer::app {

/// Where the grids are scrolled to.
struct LensGridState {
    std::array<int, 2> scrolled{-1, -1};  // by card: the token that was last brought into sight
};

/// Sizes of one frame, in pixels.
struct LensGrid {
    float labels = 0;  // width of the layers' names
    float heading = 0, row = 0, column = 0;
    float bar = 0;  // height of the scroll bar, where the words are too many for the width
    int layers = 0, positions = 0;

    float height() const { return heading + row * static_cast<float>(layers) + bar; }
};

/// The columns share the width, and scroll below it when that would cut their words.
LensGrid lens_grid(const Frame& frame, LensReading& lens, int slot, float width);

/// Cells are registered as "A/lens <layer> <position>", with the probability and the word. A click chooses the token,
/// and opens the probability in the last layer or chooses the block in another.
void draw_lens_grid(const Frame& frame, LensReading& lens, const LensGrid& grid, ImVec2 at, float width, int slot);

/// "the embedding", "block 0".
std::string_view lens_layer_name(const Frame& frame, int layer);
/// The word with that id, "▢" for the mask.
std::string vocabulary_word(const Frame& frame, int id);
/// The cell of P(word) at a position: the trace's own number.
Cell probability_cell(const Trace& trace, int position, int word);

}  // namespace glassformer::app
