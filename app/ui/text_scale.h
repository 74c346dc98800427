#pragma once

namespace glassformer::app {

/// The person's sizes of text: 1 is 100 %.
namespace text_scale {
inline constexpr float least = 0.75f, most = 2.0f, step = 0.25f;
}

}  // namespace glassformer::app
