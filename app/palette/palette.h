#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// Ctrl+K opens and closes the palette, Ctrl+Z and Ctrl+Y ask for undo and redo, Escape closes a term's card. True when
/// the palette has the keyboard, and no key means anything else.
bool palette_keys(const Frame& frame);

/// The command palette over everything: a field, and below it a list that narrows as one types; ↑↓, PageUp and
/// PageDown, Enter, Escape, wheel and click. Draws nothing while it is closed. Items: "palette", "palette/<title>",
/// "palette/chosen".
void draw_palette(const Frame& frame, const Box& window);

/// The card of the glossary's term that was asked for: what it means, in a few sentences. Items "term card",
/// "term card/close".
void draw_term_card(const Frame& frame, const Box& window);

}  // namespace glassformer::app
