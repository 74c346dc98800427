#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "core/analysis/tuned_lens.h"

namespace glassformer::app::views::logit_lens {

struct TunedLensState {
    bool on = false;             // read through the tuned lens if the card's model has one
    std::uint64_t asked_at = 0;  // number of the snapshot in which it was last requested
};

/// The lens that a card is read through, and the text about it above the card's grid.
struct TunedLine {
    std::shared_ptr<const TunedLens> lens;  // null: the plain lens
    std::string text;                       // empty: the tuned lens is off
    std::string shorter, brief, told;       // for when `text` does not fit on one line; explanation of the lens
    std::vector<std::string> layers;        // by layer: its KL divergence from the model, plain and tuned
    float share = -1;                       // share of the training that is done; −1: not training
};

/// Asks the worker for the tuned lens if it is on and missing.
TunedLine tuned_line(const Frame& frame, int slot);
float tuned_line_height(const Ui& ui, const TunedLine& line, float width);
void draw_tuned_line(const Frame& frame, const TunedLine& line, int slot, const Box& box);
/// Draws the switch at the right end of a row; returns its left edge.
float draw_tuned_switch(const Frame& frame, int slot, const Box& row);

}  // namespace glassformer::app::views::logit_lens
