#pragma once

#include <string>

#include "core/devices/choose.h"

namespace glassformer::app {

/// What trainings run on, as the window knows it.
struct Computing {
    BackendPreference preference = BackendPreference::cpu;
    std::string description;  // "GPU · NVIDIA …", "CPU · AVX2 · 2 threads: the OpenGL renderer is software"
    bool open_gl = false;     // trains with compute shaders
    bool testing = false;     // a choice is being made; the description is of what computes until then
};

}  // namespace glassformer::app
