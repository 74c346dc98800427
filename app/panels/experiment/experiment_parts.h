#pragma once

#include "app/common/frame.h"
#include "app/panels/experiment/experiment_state.h"

/// The pieces of the page; experiment_page.cpp lays them out.
namespace glassformer::app {

/// What everything is as where no knob says otherwise; none where nothing can be trained.
std::optional<TrainingSetup> experiment_base(const Frame& frame);
/// Draws from box.min down and returns where it ends.
float draw_experiment_knobs(const Frame& frame, const Box& box);  // experiment_knobs.cpp
/// What could be claimed of models such as that which the snapshot shows, in its sentence A.
std::string claim_hint(const Snapshot& seen);
/// What is claimed of all runs, and in how many it holds.
void draw_claim_row(const Frame& frame, Box row);
/// Sends the plan that is chosen; says why it cannot be. `set_aside`: see command::StartExperiment.
void start_experiment(const Frame& frame, bool set_aside = false);

/// The colour of a run's curve and card.
ImU32 colour_of_run(const Frame& frame, std::size_t run);
void draw_experiment_curves(const Frame& frame, const ExperimentInfo& experiment, const Box& box);  // …_curves.cpp
void draw_experiment_cards(const Frame& frame, const ExperimentInfo& experiment, const Box& box);   // …_cards.cpp
/// What a run's model predicts at the chosen word; `run` is a frame over its own snapshot.
void draw_run_prediction(const Frame& run, std::size_t index, const Box& box);  // …_answers.cpp
/// Every use of the word with two meanings after its last block.
void draw_run_meanings(const Frame& run, std::size_t index, const Box& box);  // …_answers.cpp

}  // namespace glassformer::app
