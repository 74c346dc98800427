#pragma once

#include "app/common/view_state.h"
#include "app/ui/text_scale.h"

namespace glassformer::app {

namespace text_scale {
inline constexpr float least_on_stage = 0.75f, most_on_stage = 1.5f;
}

/// The size of text where the person is: in the window, or on the stage, which has its own.
struct TextSize {
    float scale, least, most;
};
TextSize text_size(const ViewState& state);
void change_text_size(ViewState& state, float by);
void reset_text_size(ViewState& state);

}  // namespace glassformer::app
