#pragma once

#include <span>
#include <string>

#include "app/common/frame.h"
#include "app/common/metric_curves.h"
#include "app/panels/runs/run_curves.h"

/// The parts of the timeline; timeline_view.cpp lays them out.
namespace glassformer::app {

/// Draws learning rate, batch and seed, each under its name; they wrap if the box is narrow. If the model cannot be
/// trained here, says why. Returns the height taken.
float draw_training_controls(const Frame& frame, const Box& box);  // timeline_controls.cpp
float training_controls_height(const Ui& ui, float width);

/// Draws the legend with the values at the step on screen; its entries are below each other, or side by side if
/// `beside`.
void draw_timeline_legend(const Frame& frame, ImVec2 at, bool beside);  // timeline_legend.cpp
float timeline_legend_width(const Frame& frame, bool beside);

/// Draws the buttons: first, previous, film, next, now.
void draw_travel_buttons(const Frame& frame, ImVec2 at);  // timeline_travel.cpp
float travel_buttons_width(const Ui& ui);
float travel_buttons_height(const Ui& ui);
/// Returns the kept step nearest to `step`; the newest step counts as kept.
std::int64_t nearest_kept(const Snapshot& snapshot, std::int64_t step);
/// Asks for the kept step nearest to `step`, or for the newest. While the mouse is held, asks only once per step.
void travel_to(const Frame& frame, std::int64_t step);
/// The same, but asks every time: for a click.
void jump_to(const Frame& frame, std::int64_t step);

/// Draws curves, axis and playhead; click or drag to travel.
void draw_timeline_plot(const Frame& frame, const Box& box);  // timeline_plot.cpp
/// Draws loss and metric of every visible run, and the held-out loss of the current one. Defined in
/// timeline_curves.cpp.
void draw_run_curves(const Frame& frame, const TrainingPlot& plot, std::span<const ShownRun> runs);
/// Draws a flag on the step axis for each event; a click travels there.
void draw_event_flags(const Frame& frame, const TrainingPlot& plot);  // timeline_events.cpp
/// Lists all events of the run, in order of their steps; the list is as wide as `content`.
float event_list_height(const Frame& frame, float width);
void draw_event_list(const Frame& frame, const Box& content);

}  // namespace glassformer::app
