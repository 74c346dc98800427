#pragma once

#include <memory>
#include <string>

#include "app/common/frame.h"

namespace glassformer::app {

/// Opens the page, which replaces the panels.
void open_experiment(const Frame& frame);
/// Returns the experiment on the page: the newest one, or that of a file opened after it. Null if there is none.
const std::shared_ptr<const ExperimentInfo>& experiment_of(const Frame& frame);
/// Finds the head of each run that does what the chosen head does. Call this once per frame, before anything uses the
/// result.
void match_experiment(const Frame& frame);
/// Returns the caption for the page's pictures and numbers: what the experiment is, and the names of its runs.
std::string experiment_caption(const Frame& frame);
/// Draws what the runs differ in on the left. On the right it draws their curves, and for each run the head that does
/// the same on the current sentence. Items "experiment/…".
void draw_experiment(const Frame& frame, const Box& box);

}  // namespace glassformer::app
