#pragma once

#include "app/common/frame.h"
#include "app/panels/experiment/experiment_state.h"

/// The parts of the page; experiment_page.cpp lays them out.
namespace glassformer::app {

/// Returns the setup that applies wherever no knob overrides it; nullopt if nothing can be trained.
std::optional<TrainingSetup> experiment_base(const Frame& frame);
/// Draws downwards from box.min and returns the y below the knobs.
float draw_experiment_knobs(const Frame& frame, const Box& box);  // experiment_knobs.cpp
/// Returns an example claim about models like the one in the snapshot, for its sentence A.
std::string claim_hint(const Snapshot& seen);
/// Draws the claim about all runs, and how many of them satisfy it.
void draw_claim_row(const Frame& frame, Box row);
/// Starts the chosen plan, or shows why it cannot start. `set_aside`: see command::StartExperiment.
void start_experiment(const Frame& frame, bool set_aside = false);

/// The colour of a run's curve and card.
ImU32 colour_of_run(const Frame& frame, std::size_t run);
void draw_experiment_curves(const Frame& frame, const ExperimentInfo& experiment, const Box& box);  // …_curves.cpp
/// What the cards show, and in which sentence.
std::string about_the_cards(const Frame& frame, const ExperimentInfo& experiment);
void draw_experiment_cards(const Frame& frame, const ExperimentInfo& experiment, const Box& box);  // …_cards.cpp
/// Draws what a run's model predicts at the chosen word; `run` is a frame over the run's own snapshot.
void draw_run_prediction(const Frame& run, std::size_t index, const Box& box);  // …_answers.cpp
/// Draws every use of the word with two meanings, placed by its vector after the last block.
void draw_run_meanings(const Frame& run, std::size_t index, const Box& box);  // …_answers.cpp

}  // namespace glassformer::app
