#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/setup_switches.h"

namespace glassformer::app {

/// One thing in which the runs of an experiment differ: a switch of setup_switches.h, and what it is in each.
struct Knob {
    std::string name;  // "seed", "learning_rate", "n_heads", "positions" …
    std::vector<std::string> values;
    bool operator==(const Knob&) const = default;
};

/// Trainings that differ in one knob, or in two: then there is one for each pair of their values.
struct ExperimentPlan {
    TrainingSetup base;
    std::vector<Knob> knobs;
    bool operator==(const ExperimentPlan&) const = default;
};

/// One of them.
struct ExperimentRun {
    std::string name;  // "seed 3", "heads 4 · seed 3": where it differs from others
    TrainingSetup setup;
};

/// All of them, the first knob's values outermost. `world` is the model that the world proposes, whose inputs and
/// outputs all have. Throws Error naming the knob or the run that cannot be: no values, twice the same, more than
/// SideBySide::most_runs, no such switch, a model that cannot be built.
std::vector<ExperimentRun> runs_of(const ExperimentPlan& plan, const TransformerConfig& world);

/// A run's name in the chosen language: the words of its knobs, with their values as they are.
std::string tr_run_name(std::string_view name);

/// A knob's name as people say it: "learning rate", "heads".
std::string words_of_knob(const std::string& name);
/// The switch that is meant: "heads" is n_heads; other names stay.
std::string switch_of_knob(const std::string& name);
/// The values in a text: "1..6", "1, 2, 5", "pre post". Throws Error for a range that is none.
std::vector<std::string> values_in(const std::string& text);
/// The other way: "1, 2, 5".
std::string text_of(const std::vector<std::string>& values);

}  // namespace glassformer::app
