#pragma once

#include <imgui.h>

#include <algorithm>

#include "app/common/view_state.h"
#include "app/ui/fonts.h"

namespace glassformer::app {

namespace text_scale {
inline constexpr float least_on_stage = 0.75f, most_on_stage = 1.5f;
}

/// The current size of text: the window's, or the stage's, which has its own.
struct TextSize {
    float scale, least, most;
};
TextSize text_size(const ViewState& state);
void change_text_size(ViewState& state, float by);
void reset_text_size(ViewState& state);

/// The smallest window that shows all panels, in pixels at 100 %.
inline constexpr float wide_least_width = 1240, wide_least_height = 640;

/// The largest text size at which a window of that size still shows all panels.
inline float largest_wide_scale(ImVec2 window) {
    return std::min(window.x / wide_least_width, window.y / wide_least_height);
}

}  // namespace glassformer::app
