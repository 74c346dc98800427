#pragma once

#include <span>
#include <vector>

#include "app/common/head_trace.h"
#include "app/common/heat_map.h"
#include "app/common/view_state.h"

namespace glassformer::app {

/// A row of a pattern that is painted by keyboard and not applied yet (what_if_paint_keys.cpp).
struct RowDraft {
    int slot = -1, query = -1, key = -1;  // whose row, and which key has the focus
    HeadChoice head;
    bool cross = false;                // of the attention to the source sentence
    std::vector<float> weights, base;  // [key]: as painted, and as they were when the focus came to this key
    bool changed = false;
    bool reveal = false;  // the focus has moved: scrolled areas bring it into view
};

/// A row of a pattern being painted by hand.
struct RowPainting {
    bool on = false;              // clicks on a pattern paint; else only with Shift
    int slot = -1;                // of the pattern being pressed; −1: none
    int query = -1, key = -1;     // the cell that was pressed
    float start = 0, from_y = 0;  // its weight then, and where the mouse was
    bool dragged = false;
    RowDraft draft;
};

/// Paints a row of a pattern with the mouse: a click gives a cell all the weight of its row, dragging up or down gives
/// it more or less, and the others share the rest in proportion. Takes the mouse while RowPainting::on is set, or with
/// Shift. Call after the pattern is drawn. True if the mouse paints and does nothing else.
bool paint_pattern(const Frame& frame, const HeadTrace& head, const HeatMap& map, const CellHit& hit);

/// A row with `weight` on one key; the others share the rest in proportion, or evenly if they had none. Hidden keys get
/// nothing. The row adds up to 1 unless the key is alone.
std::vector<float> repainted(std::span<const float> row, const std::vector<bool>& hidden, int key, float weight);

/// Draws the bar above the cards while a row is painted; returns its bottom.
float draw_painting_bar(const Frame& frame, const Box& box);

/// Handles the keys of painting. True if one was pressed, which then does nothing else.
bool painting_keys(const Frame& frame);
/// Discards a draft that was not applied; false if there is none.
bool drop_draft(ViewState& state);

/// Draws the drafted row and the focus over the pattern of the sentence that the keyboard acts on.
void draw_draft(const Frame& frame, const HeadTrace& head, const HeatMap& map);
/// What the bar above the cards says about the draft; empty if there is none.
std::string draft_text(const Frame& frame);

}  // namespace glassformer::app
