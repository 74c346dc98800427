#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// One of the pictures that a sentence's card can show below its words. A view owns its folder: how it draws, what it
/// remembers (frame.own<T>()), what it reads from a trace, and what it asks of the worker. registry.cpp lists them.
struct View {
    std::string_view name;     // on its tab; the item is "view/<name>"
    std::string_view meaning;  // one line for the tooltip
    std::string_view also;     // other words for what it shows, for the search
    /// Draws inside the box, of one sentence's trace (which is there). It follows the chosen layer, head and word, and
    /// scrolls by itself where it is taller than its box.
    void (*draw)(const Frame& frame, const Box& box, int slot);
    bool (*offered)(const Frame& frame) = nullptr;  // whether this model has what the view shows; null: every model
    /// What both sentences share, drawn once above their cards from the top of the box on; returns its bottom.
    float (*header)(const Frame& frame, const Box& box) = nullptr;
    /// Where it has several pages: their names, and which one is shown. A lesson turns to one of them.
    std::span<const std::string_view> pages = {};
    int& (*page)(ViewState& state) = nullptr;
    bool spans_cards = false;  // one picture of both cards, drawn once below their words
    bool of_head = false;      // it shows the chosen head
    /// Whether all it shows is of the chosen block, and of no one head.
    bool (*of_block)(const Frame& frame, int slot) = nullptr;
    /// What its numbers are of, where that is not what the rest of the screen shows ("update 1,201"); for captions.
    std::string (*caption_suffix)(const Frame& frame) = nullptr;
    bool draws_own_words = false;  // the picture itself names and chooses the words: a low card leaves them to it
    /// Before anything is drawn, whichever view is on screen: what goes on by itself (a text that is being generated).
    void (*advance)(const Frame& frame) = nullptr;
    /// After everything is drawn, whichever view is on screen: asks the worker for what draw() has found missing, and
    /// takes it back where nobody looks any longer.
    void (*request)(const Frame& frame) = nullptr;
    /// While it is on screen, before any other part of the window: reads the keys that are its own. True: this frame's
    /// keys are used up. While a control has the keyboard focus, the arrows, Enter, Space and Esc belong to that.
    bool (*keys)(const Frame& frame) = nullptr;
};

}  // namespace glassformer::app
