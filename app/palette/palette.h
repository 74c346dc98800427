#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// Handles the palette's keys: Ctrl+K opens and closes the palette, Ctrl+Z and Ctrl+Y ask for undo and redo, Escape
/// closes a term's card. Returns true if the palette has the keyboard, so that keys have no other meaning.
bool palette_keys(const Frame& frame);

/// Draws the command palette over everything: a field, and below it a list that narrows as the user types. It responds
/// to ↑↓, PageUp and PageDown, Enter, Escape, wheel and click. Draws nothing while it is closed. Items: "palette",
/// "palette/<title>", "palette/chosen".
void draw_palette(const Frame& frame, const Box& window);

/// Draws the card that explains the requested glossary term in a few sentences. Items "term card", "term card/close".
void draw_term_card(const Frame& frame, const Box& window);

}  // namespace glassformer::app
