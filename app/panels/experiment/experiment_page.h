#pragma once

#include <memory>
#include <string>

#include "app/common/frame.h"

namespace glassformer::app {

/// Opens the page in place of the panels.
void open_experiment(const Frame& frame);
/// The experiment that the page shows: the one that began last, or that of a file opened since; null where there is
/// none.
const std::shared_ptr<const ExperimentInfo>& experiment_of(const Frame& frame);
/// Finds out which head of each run does what the chosen one does; once a frame, before what is made of it.
void match_experiment(const Frame& frame);
/// Beside a picture or the numbers of the page: what the experiment is, and the names of its runs.
std::string experiment_caption(const Frame& frame);
/// What the runs differ in at the left; at the right their curves, and each run with the head that does the same on the
/// sentence on screen. Items "experiment/…".
void draw_experiment(const Frame& frame, const Box& box);

}  // namespace glassformer::app
