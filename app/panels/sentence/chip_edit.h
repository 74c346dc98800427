#pragma once

#include "app/common/frame.h"

/// Words of a sentence changed where they stand: a chip dragged onto another one swaps the two, a double click opens a
/// field for another word.
namespace glassformer::app {

/// The chip that was double-clicked and is a field now (−1: none), and how wide it is at least.
struct ChipField {
    int position = -1;
    float width = 0;
};
ChipField chip_field(const Frame& frame, int slot);
/// Draws the field ("A/word") in the place of that chip; false: this is another one.
bool type_in_chip(const Frame& frame, int slot, int token, const Box& box);

/// After a chip was drawn: what the mouse did to it.
void edit_by_mouse(const Frame& frame, int slot, int token, const Box& box, const Response& r);

/// After all chips of a card: draws the word that is dragged at the mouse, and swaps the two when it is let go.
void settle_drag(const Frame& frame, int slot);

}  // namespace glassformer::app
