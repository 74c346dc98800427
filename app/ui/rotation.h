#pragma once

#include <array>

#include "app/ui/controls.h"

/// A point cloud that the user rotates, in radians: yaw about the vertical axis, then pitch about the horizontal one.
namespace glassformer::app {

/// Projects a point cloud to the screen: rotated, and fitted to a box with the same scale on both axes.
class CloudView {
public:
    CloudView(float yaw, float pitch);
    /// Include every point that must be visible before calling fit().
    void include(const std::array<float, 3>& point);
    void fit(const Box& box, float margin);

    struct Place {
        float x, y, z;  // pixels; z towards the viewer
    };
    Place operator()(const std::array<float, 3>& point) const;

private:
    /// x right, y up, z towards the viewer.
    std::array<float, 3> turned(const std::array<float, 3>& point) const;

    float cos_yaw_, sin_yaw_, cos_pitch_, sin_pitch_;
    ImVec2 low_{1e30f, 1e30f}, high_{-1e30f, -1e30f};
    ImVec2 centre_;
    float scale_ = 1;
};

/// Dragging rotates; a double click resets.
void turn_by_mouse(float& yaw, float& pitch, const Response& mouse);
/// The arrows rotate, Home resets: for a cloud that has the keyboard focus.
void turn_by_keys(float& yaw, float& pitch);

}  // namespace glassformer::app
