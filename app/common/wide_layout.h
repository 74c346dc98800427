#pragma once

#include <imgui.h>

#include <algorithm>

namespace glassformer::app {

/// The least size of a window that shows all panels, in pixels at 100 %.
inline constexpr float wide_least_width = 1240, wide_least_height = 640;

/// The largest size of text at which a window of that size still shows all panels.
inline float largest_wide_scale(ImVec2 window) {
    return std::min(window.x / wide_least_width, window.y / wide_least_height);
}

}  // namespace glassformer::app
