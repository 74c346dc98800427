#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/training_setup.h"

namespace glassformer::app {

/// One difference from what a world proposes: {"positions", "sinusoidal"}. The model's names and values are those of
/// config.json, with "attention.scale" for a key of its attention object. The training's are longest, data_share,
/// learning_rate, batch, clip, optimizer, seed, steps, and its other settings by their names in run.json
/// ("schedule.warmup").
struct SetupSwitch {
    std::string name, value;
    bool operator==(const SetupSwitch&) const = default;
};

/// Applies the switches. Throws Error naming an unknown switch or an invalid value.
void throw_switches(TrainingSetup& setup, const std::vector<SetupSwitch>& switches);

/// Returns the switches that lead from one set-up to another of the same world; none if there are no such switches, for
/// instance because a head was removed.
std::optional<std::vector<SetupSwitch>> switches_between(const TrainingSetup& from, const TrainingSetup& to);

}  // namespace glassformer::app
