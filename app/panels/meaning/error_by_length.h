#pragma once

#include <string>
#include <vector>

#include "app/common/frame.h"
#include "core/train/task.h"

namespace glassformer::app {

/// The error of one method at each length of the prompt, from details named "least squares, pair 1", "least squares,
/// pair 2" …
struct ErrorCurve {
    std::string name;
    std::vector<double> errors;  ///< [0]: before any pair was read
};

/// Returns the curves in a metric's details; empty if its world has no such figures.
std::vector<ErrorCurve> error_curves(const Measurement& found);

/// Returns the height that the metric's card needs for its plot; 0 if it has none.
float wanted_for_errors(const Frame& frame);
float error_plot_height(const Ui& ui, std::size_t curves);
/// Draws the errors over the number of pairs read, on a logarithmic scale, with a legend.
void draw_error_plot(const Ui& ui, const std::vector<ErrorCurve>& curves, const Box& box);

}  // namespace glassformer::app
