#pragma once

#include <cstdint>

#include "app/common/frame.h"
#include "app/panels/messages/error_bar.h"

namespace glassformer::app {

/// What of the messages was dismissed.
struct ErrorBarState {
    std::uint64_t dismissed = 0;  // Snapshot::error_number
};

/// The worker's error and the window's notice, each dismissible; draws nothing without one.
void draw_error_bar(const Frame& frame, const Box& box);

}  // namespace glassformer::app
