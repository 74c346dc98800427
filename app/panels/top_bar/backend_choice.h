#pragma once

#include <string>
#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// What computes the trainings, in short: "GPU · NVIDIA H200", "CPU · AVX2", "testing the GPU…".
std::string backend_name(const Frame& frame);
/// The top bar's list of what can compute them, under the label "backend"; pointing at it tells which does, and why.
void draw_backend_choice(const Frame& frame, const Box& box, std::string_view shown);

}  // namespace glassformer::app
