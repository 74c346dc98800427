#pragma once

#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// What went wrong, or what worked (Tone::good). The item is `label`, its button "<label>/dismiss".
struct Message {
    const char* label;
    std::string_view text;
    double number = 0;  // the item's value
    Tone tone = Tone::danger;
};

/// A bar at the top of the box, as high as the text needs; moves the box's top below it. Returns true when it is
/// dismissed.
bool draw_message_bar(const Ui& ui, const Message& message, Box& box);

}  // namespace glassformer::app
