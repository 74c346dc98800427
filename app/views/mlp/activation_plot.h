#pragma once

#include "app/views/mlp/mlp_trace.h"

namespace glassformer::app::views::mlp {

/// The model's non-linearity as a curve, with the chosen word's neurons as dots on it: activation_plot.cpp. A dot opens
/// its number.
void draw_activation_plot(const Frame& frame, const MlpTrace& mlp, const Box& box);

}  // namespace glassformer::app::views::mlp
