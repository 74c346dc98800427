#pragma once

#include <string>
#include <string_view>

#include "app/views/frame.h"

namespace glassformer::app {

/// Where a model goes that is saved as `typed`: "~" is the home folder, and a name alone lies in the folder that the
/// program was started in. Empty where nothing was typed.
std::string save_folder(std::string_view typed);

/// Asks the worker to save the model; what came of it is told by report_saving().
void save_model(const Frame& frame, const std::string& folder);
/// Once the worker has answered: a notice with the path, unless it has told an error.
void report_saving(ViewState& state, const Snapshot& snapshot);

}  // namespace glassformer::app
