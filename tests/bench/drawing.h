#pragma once

#include <functional>

#include "app/desktop/app.h"
#include "app/window/surface.h"
#include "tests/bench/window_parts.h"

namespace glassformer::app::bench {

/// Builds and draws a frame; returns the processor time of building it (layout and draw lists, not the drawing), so
/// that a training beside it does not count. `input`: the mouse's.
double frame(App& app, ImGuiHost& host, Surface& surface, const std::function<void()>& input = {});

/// Median and 99th percentile.
nlohmann::json summary(const Times& times);

/// `count` frames of every sentence view that the model on screen has, after as many frames as its own computing takes:
/// an array of {"name", "median_ms", "p99_ms"}. The mouse moves over the window as they are drawn. Where `only` names a
/// view, of that alone.
nlohmann::json view_frames(App& app, ImGuiHost& host, Surface& surface, int count, std::string_view only = {});

}  // namespace glassformer::app::bench
