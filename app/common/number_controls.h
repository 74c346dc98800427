#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "app/ui/controls.h"

namespace glassformer::app {

/// A dropdown of usual numbers, with the current one sorted in and `more` at the end unless empty. Returns the choice,
/// if one was made: NaN for `more`.
std::optional<float> usual_numbers(const Ui& ui, std::string_view item, const Box& box, std::span<const float> usual,
                                   float current, std::string_view more = {});
/// A seed between buttons − and +; true if it changed.
bool seed_field(const Ui& ui, std::string_view item, const Box& box, std::uint64_t& seed);

}  // namespace glassformer::app
