#include "app/ui/rotation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/ui/input.h"

namespace glassformer::app {

namespace {

constexpr float a_pixel = 0.01f, a_press = 0.1f, steepest = 1.5f;  // radians

void turn(float& yaw, float& pitch, float right, float down) {
    yaw = std::remainder(yaw + right, 2 * std::numbers::pi_v<float>);
    pitch = std::clamp(pitch + down, -steepest, steepest);
}

}  // namespace

CloudView::CloudView(float yaw, float pitch)
    : cos_yaw_(std::cos(yaw)), sin_yaw_(std::sin(yaw)), cos_pitch_(std::cos(pitch)), sin_pitch_(std::sin(pitch)) {}

std::array<float, 3> CloudView::turned(const std::array<float, 3>& p) const {
    const float x = cos_yaw_ * p[0] + sin_yaw_ * p[2], z = cos_yaw_ * p[2] - sin_yaw_ * p[0];
    return {x, cos_pitch_ * p[1] - sin_pitch_ * z, sin_pitch_ * p[1] + cos_pitch_ * z};
}

void CloudView::include(const std::array<float, 3>& point) {
    const std::array<float, 3> p = turned(point);
    low_ = {std::min(low_.x, p[0]), std::min(low_.y, p[1])};
    high_ = {std::max(high_.x, p[0]), std::max(high_.y, p[1])};
}

void CloudView::fit(const Box& box, float margin) {
    centre_ = box.centre();
    scale_ = std::min((box.width() - 2 * margin) / std::max(high_.x - low_.x, 1e-6f),
                      (box.height() - 2 * margin) / std::max(high_.y - low_.y, 1e-6f));
}

CloudView::Place CloudView::operator()(const std::array<float, 3>& point) const {
    const std::array<float, 3> p = turned(point);
    return {centre_.x + scale_ * (p[0] - (low_.x + high_.x) / 2), centre_.y - scale_ * (p[1] - (low_.y + high_.y) / 2),
            p[2]};
}

void turn_by_mouse(float& yaw, float& pitch, const Response& mouse) {
    if (mouse.double_clicked)
        yaw = pitch = 0.0f;
    else if (mouse.held)
        turn(yaw, pitch, a_pixel * ImGui::GetIO().MouseDelta.x, a_pixel * ImGui::GetIO().MouseDelta.y);
}

void turn_by_keys(float& yaw, float& pitch) {
    const auto pressed = [](Key key) { return key_pressed(key, true) ? a_press : 0.0f; };
    turn(yaw, pitch, pressed(Key::right) - pressed(Key::left), pressed(Key::down) - pressed(Key::up));
    if (key_pressed(Key::home)) yaw = pitch = 0.0f;
}

}  // namespace glassformer::app
