#pragma once

#include "app/common/frame.h"

/// Editing words in place: dragging a chip onto another one swaps the two, a double click opens a field for another
/// word.
namespace glassformer::app {

/// The chip that was double-clicked and is now a field (−1: none), and its minimum width.
struct ChipField {
    int position = -1;
    float width = 0;
};
ChipField chip_field(const Frame& frame, int slot);
/// Draws the field ("A/word") in place of that chip. Returns false if this chip is not the field.
bool type_in_chip(const Frame& frame, int slot, int token, const Box& box);

/// Call this after drawing a chip: handles what the mouse did to it.
void edit_by_mouse(const Frame& frame, int slot, int token, const Box& box, const Response& r);

/// Call this after drawing all chips of a card: draws the dragged word at the mouse, and swaps the two words on
/// release.
void settle_drag(const Frame& frame, int slot);

}  // namespace glassformer::app
