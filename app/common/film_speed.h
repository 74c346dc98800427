#pragma once

#include <array>
#include <string_view>

#include "app/language/tr.h"

namespace glassformer::app {

/// Durations of a training film to choose from, in seconds, whatever its number of steps.
inline constexpr std::array<double, 3> film_seconds = {40, 15, 5};
inline constexpr std::array<std::string_view, 3> film_speed_names = {N_("slow · 40 s"), N_("15 s"), N_("fast · 5 s")};

}  // namespace glassformer::app
