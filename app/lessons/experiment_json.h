#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/panels/experiment/experiment_state.h"

namespace glassformer::app {

/// Returns the results of an experiment for a .glass file: the knobs, each run's curve and metric, and the claim about
/// them. The models are not included.
nlohmann::json experiment_to_json(const ExperimentInfo& experiment, const ExperimentState& page);

/// The inverse, for untrusted input: an experiment that has ended, and the claim about it. Throws Error naming `file`
/// and the offending field.
ExperimentState::Kept experiment_from_json(const nlohmann::json& object, const std::string& file);

}  // namespace glassformer::app
