#pragma once

namespace glassformer::app {

/// Where the view Attention stands among all_views() (app/views/registry.cpp): rows are painted there, and lessons
/// that name no view show it.
inline constexpr int attention_view_place = 1;

}  // namespace glassformer::app
