#pragma once

#include <functional>

#include "app/desktop/app.h"
#include "app/window/surface.h"
#include "tests/bench/window_parts.h"

namespace glassformer::app::bench {

/// Builds and draws a frame. Returns the CPU time of building it (layout and draw lists, not rasterising) on this
/// thread, so that a training beside it does not count. `input` scripts the mouse.
double frame(App& app, ImGuiHost& host, Surface& surface, const std::function<void()>& input = {});

/// Median and 99th percentile in milliseconds.
nlohmann::json summary(const Times& times);

/// Draws `count` frames of every sentence view that the model offers, after warming up until the view has computed its
/// own data. Returns an array of {"name", "median_ms", "p99_ms"}. The mouse moves over the window meanwhile. If `only`
/// names a view, measures that one alone.
nlohmann::json view_frames(App& app, ImGuiHost& host, Surface& surface, int count, std::string_view only = {});

}  // namespace glassformer::app::bench
