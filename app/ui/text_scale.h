#pragma once

namespace glassformer::app::text_scale {

/// The person's sizes of text: 1 is 100 %. The command line knows them without a window.
inline constexpr float least = 0.75f, most = 2.0f, step = 0.25f;

}  // namespace glassformer::app::text_scale
