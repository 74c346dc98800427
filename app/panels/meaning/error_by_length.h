#pragma once

#include <string>
#include <vector>

#include "app/common/frame.h"
#include "core/train/task.h"

namespace glassformer::app {

/// The error of one method at each length of the prompt: "least squares, pair 1", "least squares, pair 2" …
struct ErrorCurve {
    std::string name;
    std::vector<double> errors;  ///< [0] after no pair
};

/// The curves that a metric's details hold; none where its world has no such figures.
std::vector<ErrorCurve> error_curves(const Measurement& found);

/// The height in which the metric's card shows its plot; 0 where it has none.
float wanted_for_errors(const Frame& frame);
float error_plot_height(const Ui& ui, std::size_t curves);
/// The curves over the number of pairs that were read, the error on a logarithmic scale, and whose they are.
void draw_error_plot(const Ui& ui, const std::vector<ErrorCurve>& curves, const Box& box);

}  // namespace glassformer::app
