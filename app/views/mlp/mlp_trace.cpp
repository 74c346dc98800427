#include "app/views/mlp/mlp_trace.h"

#include <algorithm>
#include <cmath>

namespace glassformer::app::views::mlp {

MlpTrace::MlpTrace(const Frame& frame, const Trace& t, int slot_index)
    : trace(t),
      slot(slot_index),
      block(frame.state.layer),
      token(std::clamp(frame.state.token[slot_index], 0, t.positions() - 1)) {
    const auto node = [&](const char* name) { return t.graph().find(hook(frame.state, name)).value_or(-1); };
    pre = node("mlp.hook_pre"), post = node("mlp.hook_post");
    gate = node("mlp.hook_gate"), pre_linear = node("mlp.hook_pre_linear");
    if (!is_there()) return;
    width = static_cast<int>(t.graph()[post].shape.back());
    find_strongest();
    find_chosen(frame.state);
}

// Each neuron sinks to its place among the dozen: no list of all of them is made.
void MlpTrace::find_strongest() {
    shown = std::min(most_shown, width);
    strongest.fill(-1);
    const SliceView part = row(post);
    const std::span<const float> values = part.values();
    const auto size = [&](int neuron) { return neuron < 0 ? -1.0f : std::abs(values[neuron]); };
    for (int neuron = 0; neuron < width; ++neuron) {
        int moving = neuron;
        if (!(size(moving) > size(strongest[shown - 1]))) continue;
        for (int i = 0; i < shown; ++i)
            if (size(moving) > size(strongest[i])) std::swap(moving, strongest[i]);
    }
}

void MlpTrace::find_chosen(const ViewState& state) {
    chosen = shown > 0 ? strongest[0] : -1;
    for (auto at = state.trail.rbegin(); at != state.trail.rend(); ++at) {
        const int node = at->cell.node;
        if (node < 0 || (node != pre && node != post && node != gate && node != pre_linear)) continue;
        chosen = static_cast<int>(at->cell.offset % width);
        return;
    }
}

}  // namespace glassformer::app::views::mlp
