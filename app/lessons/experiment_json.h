#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/panels/experiment/experiment_state.h"

namespace glassformer::app {

/// What came of an experiment, as it goes into a .glass file: the knobs, each run's curve and metric, and what is
/// claimed of it. The models are not in it.
nlohmann::json experiment_to_json(const ExperimentInfo& experiment, const ExperimentState& page);

/// The way back, from what anybody may have written: an experiment that has ended, and what was claimed of it. Throws
/// Error naming `file` and the field that is wrong.
ExperimentState::Kept experiment_from_json(const nlohmann::json& object, const std::string& file);

}  // namespace glassformer::app
