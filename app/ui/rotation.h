#pragma once

#include <array>

#include "app/ui/controls.h"

/// A cloud of points that is turned by hand, radians: yaw about the upright axis, then pitch about the level one.
namespace glassformer::app {

/// Turns a point: x right, y up, z towards the eye.
class Rotation {
public:
    Rotation(float yaw, float pitch);
    std::array<float, 3> operator()(const std::array<float, 3>& point) const;

private:
    float cos_yaw_, sin_yaw_, cos_pitch_, sin_pitch_;
};

/// Dragging turns; a double click turns back.
void turn_by_mouse(float& yaw, float& pitch, const Response& mouse);
/// The arrows turn, Home turns back: for a cloud that has the keyboard's focus.
void turn_by_keys(float& yaw, float& pitch);

}  // namespace glassformer::app
