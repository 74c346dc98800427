#pragma once

#include "app/views/mlp/mlp_trace.h"

namespace glassformer::app::views::mlp {

/// The chosen neuron in words: those of both sentences that excite it most, and those that its direction argues for and
/// against: neuron_words_view.cpp.
float neuron_words_height(const Ui& ui);
void draw_neuron_words(const Frame& frame, const MlpTrace& mlp, const Box& box);

}  // namespace glassformer::app::views::mlp
