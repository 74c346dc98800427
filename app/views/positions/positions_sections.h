#pragma once

#include "app/ui/scroll_page.h"
#include "app/views/positions/position_code.h"

/// The parts of the position view. Each draws from `y` down, in the visible width of the page; returns its bottom.
namespace glassformer::app::views::positions {

/// What is under the mouse in a picture of the position codes: a pair of positions, or a distance; −1: none.
struct PositionPlace {
    int first = -1, second = -1, distance = -1;
};

/// The state of the view.
struct PositionsState {
    bool beside_sinusoidal = false;   // compare learned positions with sines and cosines
    PositionPlace hovered, hovering;  // under the mouse: in the last frame, and so far in this one
};

/// The names of one code on screen and in items.
struct CodeName {
    std::string_view title;
    std::string_view item;                   // "A/positions" or "A/positions sinusoidal"
    std::shared_ptr<const void> owner = {};  // of the code, so that its pictures can be cached
};

/// Draws every position's vector as a row. `of` opens its cells; null if they are not the model's.
float draw_position_table(const Frame& frame, int slot, const PositionCode& code, const ModelPositions* of,
                          const CodeName& name, const ScrollPage& page, float y);
/// Minimum width of the table.
float position_table_width(const Frame& frame, int slot, int positions, int width);

/// Draws how similar the vectors of two positions are.
float draw_similarity_matrix(const Frame& frame, const PositionCode& code, const CodeName& name, const Box& box);

/// A curve over the distance between positions.
struct DistanceCurve {
    std::span<const float> values;  // by distance
    bool dashed = false;
    std::string_view item;  // prefix: its points are "<item> <distance>"
    std::string_view name;
};
/// Draws curves on one axis from `low` to `high`.
void draw_distance_curves(const Frame& frame, std::span<const DistanceCurve> curves, double low, double high,
                          std::string_view title, const Box& box);

/// ALiBi: draws what each head subtracts at each distance.
float draw_alibi(const Frame& frame, int slot, const ModelPositions& of, const ScrollPage& page, float y);

/// Rotary: draws each pair of features of the chosen head's query and of its key as hands, rotated by their positions.
float draw_turns(const Frame& frame, int slot, const ScrollPage& page, float y);

/// "0 he": a position and its word.
std::string_view position_label(const Frame& frame, int slot, int position);

}  // namespace glassformer::app::views::positions
