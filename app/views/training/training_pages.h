#pragma once

#include "app/views/training/training_view.h"

/// The pages of the view of the training, one a file. Each draws inside its box and scrolls by itself.
namespace glassformer::app::views::training {

/// How values of one tensor are spread.
using ValueSpread = decltype(ParameterHistograms::weight);

void draw_training_histograms(const Frame& frame, const Box& box);  // training_histograms.cpp
void draw_weight_picker(const Frame& frame, const Box& box);        // training_picker.cpp
void draw_training_weight(const Frame& frame, const Box& box);      // training_weight.cpp
void draw_training_batch(const Frame& frame, const Box& box);       // training_batch.cpp
void draw_training_cost(const Frame& frame, const Box& box);        // training_cost.cpp
/// Of the page of costs: what a whole model takes for a text of so many tokens; returns the bottom.
float draw_model_budget(const Frame& frame, int tokens, const Box& box);  // training_budget.cpp
/// Which model, and in how many bits its numbers are.
void draw_budget_choices(const Frame& frame, const Box& of_model, const Box& of_bits);
void draw_training_path(const Frame& frame, const Box& box);  // training_path.cpp

/// The two curves of the chosen weight, one under the other.
void draw_weight_curves(const Frame& frame, const Box& box);  // training_curves.cpp

/// What was asked for, if it is there yet: of the page on screen and, of a weight, of the chosen one. Else null.
const Inspection* inspection_for(const Frame& frame, Inspected what);
/// The parameter that the chosen weight belongs to.
const TrainedParameter& chosen_parameter(const TrainingLook& look);
/// Another weight; round and round.
void choose_weight(TrainingLook& look, std::int64_t cell);
/// In words, where there is nothing to show yet. `what` ends the sentence: "… and its histograms stand here".
void draw_not_yet(const Frame& frame, const Box& box, std::string_view what, std::string_view why);

/// "−0.0312", "2.5e−6": so many digits, with a real minus sign.
std::string in_short(double value, int digits = 3);
/// "498 MB".
std::string bytes_text(double bytes);
/// "16 × 64"; "1" of a single number.
std::string sizes_text(const Shape& shape);

}  // namespace glassformer::app::views::training
