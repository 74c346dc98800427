#include "app/common/text_size.h"

#include <algorithm>

namespace glassformer::app {

namespace {

void set(ViewState& state, float scale) { (state.presenter ? state.window.stage_scale : state.scale) = scale; }

}  // namespace

TextSize text_size(const ViewState& state) {
    if (state.presenter) return {state.window.stage_scale, text_scale::least_on_stage, text_scale::most_on_stage};
    return {state.scale, text_scale::least, text_scale::most};
}

void change_text_size(ViewState& state, float by) {
    const TextSize now = text_size(state);
    set(state, std::clamp(now.scale + by, now.least, now.most));
}

void reset_text_size(ViewState& state) { set(state, 1); }

}  // namespace glassformer::app
