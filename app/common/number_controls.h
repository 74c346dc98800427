#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "app/ui/controls.h"

namespace glassformer::app {

/// A list of usual numbers with the current one in its place among them, and behind them `more` where there is any.
/// Returns what was chosen: NaN for `more`.
std::optional<float> usual_numbers(const Ui& ui, std::string_view item, const Box& box, std::span<const float> usual,
                                   float current, std::string_view more = {});
/// A seed between − and +; true when it changed.
bool seed_field(const Ui& ui, std::string_view item, const Box& box, std::uint64_t& seed);

}  // namespace glassformer::app
