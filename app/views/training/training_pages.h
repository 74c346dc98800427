#pragma once

#include "app/views/training/training_view.h"

/// The pages of the training view, one per file. Each draws inside its box and scrolls by itself.
namespace glassformer::app::views::training {

/// How the values of one tensor are distributed.
using ValueSpread = decltype(ParameterHistograms::weight);

void draw_training_histograms(const Frame& frame, const Box& box);  // training_histograms.cpp
void draw_weight_picker(const Frame& frame, const Box& box);        // training_picker.cpp
void draw_training_weight(const Frame& frame, const Box& box);      // training_weight.cpp
void draw_training_batch(const Frame& frame, const Box& box);       // training_batch.cpp
void draw_training_cost(const Frame& frame, const Box& box);        // training_cost.cpp
/// Part of the page of costs: what a whole model needs for a text of this many tokens; returns the bottom.
float draw_model_budget(const Frame& frame, int tokens, const Box& box);  // training_budget.cpp
/// The choices of the model and of the number of bits per number.
void draw_budget_choices(const Frame& frame, const Box& of_model, const Box& of_bits);
void draw_training_path(const Frame& frame, const Box& box);  // training_path.cpp

/// The two curves of the chosen weight, one under the other.
void draw_weight_curves(const Frame& frame, const Box& box);  // training_curves.cpp

/// The inspection that was asked for, if it has arrived and, for a weight, belongs to the chosen one. Else null.
const Inspection* inspection_for(const Frame& frame, Inspected what);
/// The parameter that contains the chosen weight.
const TrainedParameter& chosen_parameter(const TrainingLook& look);
/// Chooses another weight; wraps around at both ends.
void choose_weight(TrainingLook& look, std::int64_t cell);
/// Says that there is nothing to show yet. `what` ends the sentence: "… and its histograms stand here".
void draw_not_yet(const Frame& frame, const Box& box, std::string_view what, std::string_view why);

/// "−0.0312", "2.5e−6": with this many digits and a real minus sign.
std::string in_short(double value, int digits = 3);
/// "498 MB".
std::string bytes_text(double bytes);
/// "16 × 64"; "1" for a single number.
std::string sizes_text(const Shape& shape);

}  // namespace glassformer::app::views::training
