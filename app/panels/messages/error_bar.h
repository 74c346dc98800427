#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// Which messages were dismissed, and which one is the newest.
struct ErrorBarState {
    std::uint64_t dismissed = 0;          // Snapshot::error_number
    std::array<std::uint64_t, 3> came{};  // by message: larger is newer; 0: not shown
    std::array<std::string, 3> said;      // by message: its text when it appeared
    std::uint64_t newest = 0;             // maximum of `came`
    float room = 0;                       // height that the panels leave at their top for the bars
};

/// Whether to draw the bars, or only to shrink the box as if they were drawn.
enum class Bars { drawn, placed };

/// Draws the worker's error, the running film and the window's notice, newest first, each with a button to dismiss it.
/// Moves the top of the box below them. Draws nothing if there is no message.
void draw_messages(const Frame& frame, Box& box, Bars bars = Bars::drawn);

/// An error or, with Tone::good, a success. The item is `label`, its button "<label>/dismiss".
struct Message {
    const char* label;
    std::string_view text;
    ItemValue number = {};  // the item's value
    Tone tone = Tone::danger;
};

/// Draws a bar at the top of the box, as high as its text, and moves the box's top below it. Returns true if the user
/// dismisses it.
bool draw_message_bar(const Ui& ui, const Message& message, Box& box, Bars bars = Bars::drawn);

}  // namespace glassformer::app
