#pragma once

#include <cstdint>
#include <memory>

#include "app/ui/box.h"
#include "app/ui/ui.h"

namespace glassformer::app::draw {

/// A part of the window that a camera looks at. While it moves, whoever draws the frame may show the picture that it
/// drew last, at its new place.
struct MovingPicture {
    int id = 0;                    ///< tells it from the others of the window
    std::weak_ptr<const void> of;  ///< what it shows
    std::uint64_t content = 0;     ///< of one owner, pictures with the same content differ in their place alone
    Box view{};                    ///< of the screen, in whole pixels: it covers that
    ImVec2 origin{0, 0};           ///< what is at p of it is at origin + scale · p of the screen
    float scale = 1;
};

/// What is added to the draw list from here to end_moving_picture() is the picture.
void begin_moving_picture(const Ui& ui, MovingPicture picture);
void end_moving_picture(const Ui& ui);

/// What begins with a command of a draw list, or null.
const MovingPicture* begins_moving_picture(const ImDrawCmd& command);
bool ends_moving_picture(const ImDrawCmd& command);

}  // namespace glassformer::app::draw
