#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// What of the messages was dismissed, and which came last.
struct ErrorBarState {
    std::uint64_t dismissed = 0;          // Snapshot::error_number
    std::array<std::uint64_t, 3> came{};  // by message: the larger, the newer; 0: it is not there
    std::array<std::string, 3> said;      // by message: its words when it came
    std::uint64_t newest = 0;             // of `came`
    float room = 0;                       // that the panels leave at their top for the bars
};

/// Whether bars are drawn, or only the box is cut as if they were.
enum class Bars { drawn, placed };

/// The worker's error, a film at work and the window's notice, each dismissible, the newest on top; moves the top of
/// the box below them. Draws nothing without one.
void draw_messages(const Frame& frame, Box& box, Bars bars = Bars::drawn);

/// What went wrong, or what worked (Tone::good). The item is `label`, its button "<label>/dismiss".
struct Message {
    const char* label;
    std::string_view text;
    ItemValue number = {};  // the item's value
    Tone tone = Tone::danger;
};

/// A bar at the top of the box, as high as the text needs; moves the box's top below it. Returns true when it is
/// dismissed.
bool draw_message_bar(const Ui& ui, const Message& message, Box& box, Bars bars = Bars::drawn);

}  // namespace glassformer::app
