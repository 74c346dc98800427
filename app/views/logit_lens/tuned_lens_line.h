#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "core/analysis/tuned_lens.h"

namespace glassformer::app::views::logit_lens {

struct TunedLensState {
    bool on = false;             // the lens is read through a tuned one, where the card's model has one
    std::uint64_t asked_at = 0;  // snapshot after which it was asked for last
};

/// What a card is read through, and what is said of that above its grid.
struct TunedLine {
    std::shared_ptr<const TunedLens> lens;  // null: the plain lens
    std::string text;                       // empty: nobody asked for a tuned one
    std::string shorter, brief, told;       // where `text` does not fit into one line; what the lens is
    std::vector<std::string> layers;        // by layer: how far from the model it is, plain and tuned
    float share = -1;                       // of its training, while that goes on
};

/// Asks for the tuned lens where it is on and not there.
TunedLine tuned_line(const Frame& frame, int slot);
float tuned_line_height(const Ui& ui, const TunedLine& line, float width);
void draw_tuned_line(const Frame& frame, const TunedLine& line, int slot, const Box& box);
/// The switch, at the right end of a row; returns where it begins.
float draw_tuned_switch(const Frame& frame, int slot, const Box& row);

}  // namespace glassformer::app::views::logit_lens
