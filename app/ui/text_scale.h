#pragma once

namespace glassformer::app::text_scale {

/// The user's text sizes: 1 is 100 %. In a header of its own so that the command line needs no window.
inline constexpr float least = 0.75f, most = 2.0f, step = 0.25f;

}  // namespace glassformer::app::text_scale
