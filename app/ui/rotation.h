#pragma once

#include <array>

#include "app/ui/controls.h"

/// A cloud of points that is turned by hand, radians: yaw about the upright axis, then pitch about the level one.
namespace glassformer::app {

/// A cloud of points on the screen: turned, and fitted to a box at one scale for both axes.
class CloudView {
public:
    CloudView(float yaw, float pitch);
    /// All that must be seen is included before the cloud is fitted.
    void include(const std::array<float, 3>& point);
    void fit(const Box& box, float margin);

    struct Place {
        float x, y, z;  // pixels; z towards the eye
    };
    Place operator()(const std::array<float, 3>& point) const;

private:
    /// x right, y up, z towards the eye.
    std::array<float, 3> turned(const std::array<float, 3>& point) const;

    float cos_yaw_, sin_yaw_, cos_pitch_, sin_pitch_;
    ImVec2 low_{1e30f, 1e30f}, high_{-1e30f, -1e30f};
    ImVec2 centre_;
    float scale_ = 1;
};

/// Dragging turns; a double click turns back.
void turn_by_mouse(float& yaw, float& pitch, const Response& mouse);
/// The arrows turn, Home turns back: for a cloud that has the keyboard's focus.
void turn_by_keys(float& yaw, float& pitch);

}  // namespace glassformer::app
