#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// One of the pictures that a sentence's card can show below its words. A view owns its folder: how it draws, what
/// state it keeps (frame.own<T>()), what it reads from a trace, and what it asks the worker for. See registry.cpp.
struct View {
    std::string_view name;     // label of its tab; the item is "view/<name>"
    std::string_view meaning;  // one line for the tooltip
    std::string_view also;     // other words for what it shows, for the search
    /// Draws one sentence inside the box; its trace exists. Follows the chosen layer, head and word, and scrolls by
    /// itself if its content is taller than the box.
    void (*draw)(const Frame& frame, const Box& box, int slot);
    bool (*offered)(const Frame& frame) = nullptr;  // whether this model has what the view shows; null: every model
    /// Draws what both sentences share, once, above their cards, from the top of the box down; returns the bottom.
    float (*header)(const Frame& frame, const Box& box) = nullptr;
    /// For a view with several pages: their names, and the index of the current one, which lessons can set.
    std::span<const std::string_view> pages = {};
    int& (*page)(ViewState& state) = nullptr;
    bool spans_cards = false;  // one picture for both cards, drawn once below their words
    bool of_head = false;      // it shows the chosen head
    /// True if everything it shows belongs to the chosen block, and not to a single head.
    bool (*of_block)(const Frame& frame, int slot) = nullptr;
    /// For captions: what its numbers belong to ("update 1,201") if that is not what the rest of the screen shows.
    std::string (*caption_suffix)(const Frame& frame) = nullptr;
    bool draws_own_words = false;  // the picture itself has the words: a low card omits its own
    /// Called before anything is drawn, whichever view is on screen: advances what runs by itself (text generation).
    void (*advance)(const Frame& frame) = nullptr;
    /// Called after everything is drawn, whichever view is on screen: asks the worker for what draw() found missing,
    /// and cancels requests that nobody needs any longer.
    void (*request)(const Frame& frame) = nullptr;
    /// Called while the view is on screen, before any other part of the window: handles the view's own keys. Returns
    /// true if it used up this frame's keys. While a control has the keyboard focus, the arrows, Enter, Space and Esc
    /// belong to the control.
    bool (*keys)(const Frame& frame) = nullptr;
};

}  // namespace glassformer::app
