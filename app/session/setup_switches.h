#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/training_setup.h"

namespace glassformer::app {

/// One thing that differs from what a world proposes: {"positions", "sinusoidal"}. The model's names and values are
/// those of config.json ("attention.scale" for one of attention); besides there are longest, data_share,
/// learning_rate, batch, clip, optimizer, seed and steps, and the other settings of a training by their names in
/// run.json ("schedule.warmup").
struct SetupSwitch {
    std::string name, value;
    bool operator==(const SetupSwitch&) const = default;
};

/// Throws Error naming an unknown switch, or a value that it cannot have.
void throw_switches(TrainingSetup& setup, const std::vector<SetupSwitch>& switches);

/// Those that lead from one set-up to another of the same world; nothing where none do, as where a head was removed.
std::optional<std::vector<SetupSwitch>> switches_between(const TrainingSetup& from, const TrainingSetup& to);

}  // namespace glassformer::app
