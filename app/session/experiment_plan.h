#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/setup_switches.h"

namespace glassformer::app {

/// One thing in which the runs of an experiment differ: a switch (see setup_switches.h) and its value in each run.
struct Knob {
    std::string name;  // "seed", "learning_rate", "n_heads", "positions", …
    std::vector<std::string> values;
    bool operator==(const Knob&) const = default;
};

/// Trainings that differ in one knob, or in two, with one training for each pair of values.
struct ExperimentPlan {
    TrainingSetup base;
    std::vector<Knob> knobs;
    bool operator==(const ExperimentPlan&) const = default;
};

/// One training of an ExperimentPlan.
struct ExperimentRun {
    std::string name;  // "seed 3", "heads 4 · seed 3": how it differs from the others
    TrainingSetup setup;
};

/// Returns all runs of a plan, with the first knob's values in the outer loop. `world` is the model that the world
/// proposes; every run gets its inputs and outputs. Throws Error naming the offending knob or run: no values, a value
/// given twice, more than SideBySide::most_runs runs, an unknown switch, or a model that cannot be built.
std::vector<ExperimentRun> runs_of(const ExperimentPlan& plan, const TransformerConfig& world);

/// Returns a run's name in the chosen language: the words of its knobs are translated, their values stay as they are.
std::string tr_run_name(std::string_view name);
/// Returns the name for a run that starts over with another seed: "seed 3 · data share 0.1" names the new one.
std::string renamed_for_seed(const std::string& name, std::uint64_t before, std::uint64_t seed);

/// Returns a knob's name in plain words: "learning rate", "heads".
std::string words_of_knob(const std::string& name);
/// Returns the switch that is meant: "heads" is n_heads; other names stay.
std::string switch_of_knob(const std::string& name);
/// Parses values: "1..6", "1, 2, 5", "pre post". Throws Error for an invalid range.
std::vector<std::string> values_in(const std::string& text);
/// The inverse of values_in(): "1, 2, 5".
std::string text_of(const std::vector<std::string>& values);

}  // namespace glassformer::app
