#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "app/common/frame.h"
#include "app/panels/messages/error_bar.h"

namespace glassformer::app {

/// What of the messages was dismissed, and which came last.
struct ErrorBarState {
    std::uint64_t dismissed = 0;          // Snapshot::error_number
    std::array<std::uint64_t, 3> came{};  // by message: the larger, the newer; 0: it is not there
    std::array<std::string, 3> said;      // by message: its words when it came
    std::uint64_t newest = 0;             // of `came`
};

/// The worker's error, a film at work and the window's notice, each dismissible, the newest on top; moves the top of
/// the box below them, so that they cover nothing. Draws nothing without one.
void draw_messages(const Frame& frame, Box& box);

}  // namespace glassformer::app
