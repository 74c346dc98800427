#pragma once

#include <span>
#include <string>

#include "app/common/frame.h"
#include "app/common/metric_curves.h"
#include "app/panels/runs/run_curves.h"

/// The pieces of the timeline; timeline_view.cpp lays them out.
namespace glassformer::app {

/// Learning rate, batch and seed, each under its name; they wrap when the box is narrow. Where the model cannot be
/// trained here, why. Returns the height taken.
float draw_training_controls(const Frame& frame, const Box& box);  // timeline_controls.cpp
float training_controls_height(const Ui& ui, float width);

/// What the lines are, with the values at the step on screen; below each other, or beside when `wide`.
void draw_timeline_legend(const Frame& frame, ImVec2 at, bool beside);  // timeline_legend.cpp
float timeline_legend_width(const Frame& frame, bool beside);

/// First, previous, film, next, now.
void draw_travel_buttons(const Frame& frame, ImVec2 at);  // timeline_travel.cpp
float travel_buttons_width(const Ui& ui);
float travel_buttons_height(const Ui& ui);
/// The kept step nearest to `step`; the newest step counts as kept.
std::int64_t nearest_kept(const Snapshot& snapshot, std::int64_t step);
/// Asks for the kept step nearest to `step`, or for the newest; once for each step while the mouse is held.
void travel_to(const Frame& frame, std::int64_t step);
/// The same at once, for a click.
void jump_to(const Frame& frame, std::int64_t step);

/// Curves, axis, playhead; click or drag to travel.
void draw_timeline_plot(const Frame& frame, const Box& box);  // timeline_plot.cpp
/// Loss and metric of every visible run, and the held-out loss of the one at work; timeline_curves.cpp.
void draw_run_curves(const Frame& frame, const TrainingPlot& plot, std::span<const ShownRun> runs);
/// A flag on the step axis where something happened; a click travels there.
void draw_event_flags(const Frame& frame, const TrainingPlot& plot);  // timeline_events.cpp
/// Everything that happened in the run, in the order of its steps, as a list of `content`'s width.
float event_list_height(const Frame& frame, float width);
void draw_event_list(const Frame& frame, const Box& content);

}  // namespace glassformer::app
