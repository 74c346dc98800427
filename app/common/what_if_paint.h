#pragma once

#include <span>
#include <vector>

#include "app/common/head_trace.h"
#include "app/common/heat_map.h"
#include "app/common/view_state.h"

namespace glassformer::app {

/// A row of a pattern that is being painted by keyboard and not applied yet (what_if_paint_keys.h).
struct RowDraft {
    int slot = -1, query = -1, key = -1;  // whose row, and which key has the focus
    HeadChoice head;
    bool cross = false;                // of the attention to the source sentence
    std::vector<float> weights, base;  // [key]: as they would be, and as they were when the focus came to this key
    bool changed = false;
    bool reveal = false;  // the focus has been moved: scrolled areas bring it into sight
};

/// A row of a pattern being painted by hand.
struct RowPainting {
    bool on = false;              // clicks on a pattern paint; else only with Shift
    int slot = -1;                // of the pattern under the mouse button; −1 when none
    int query = -1, key = -1;     // the cell that was pressed
    float start = 0, from_y = 0;  // its weight then, and where the mouse was
    bool dragged = false;
    RowDraft draft;
};

/// Painting a row of a pattern by hand: a click on a cell gives it all the weight of its row, dragging up or down gives
/// it more or less, and the others share the rest as they did. Holds the mouse while ViewState::painting is on, or with
/// Shift. Call after the pattern is drawn; true where the mouse paints and does nothing else.
bool paint_pattern(const Frame& frame, const HeadTrace& head, const HeatMap& map, const CellHit& hit);

/// A row with `weight` on one key and the rest shared out among the others as before; evenly, where they had nothing.
/// Keys that are hidden get nothing. The row adds up to 1 unless the key is alone.
std::vector<float> repainted(std::span<const float> row, const std::vector<bool>& hidden, int key, float weight);

/// The line above the cards while a row is painted; returns its bottom.
float draw_painting_bar(const Frame& frame, const Box& box);

/// Answers the keys of painting; true where one was pressed, which then does nothing else.
bool painting_keys(const Frame& frame);
/// Forgets what was not applied; false where there is nothing to forget.
bool drop_draft(ViewState& state);

/// Over the pattern of the sentence that the keyboard acts on: the row as it would be, and the focus.
void draw_draft(const Frame& frame, const HeadTrace& head, const HeatMap& map);
/// What the bar above the cards says about it; empty while nothing is drafted.
std::string draft_text(const Frame& frame);

}  // namespace glassformer::app
