#pragma once

#include "app/common/predict_first.h"
#include "app/language/tr.h"

/// What every view hides while "Predict first" waits for a guess (predict_first.h): the chosen word's row in the chosen
/// head, in every picture, and what the model predicts at that word.
namespace glassformer::app {

/// The row of a head's pattern that a card hides; −1: none. Two cards that show the same trace also hide each other's.
int row_hidden_by_quiz(const Frame& frame, int slot, const HeadChoice& head, bool cross = false);
/// True if a number of a card's trace is a score or weight in such a row, belongs to the prediction there, or is one
/// that an open lesson asks for.
bool is_hidden_by_quiz(const Frame& frame, int slot, const Cell& cell);

/// The tooltip where something is hidden.
inline constexpr std::string_view say_it_first = N_("First guess what it attends to most");
/// Draws which word to guess and where, in place of what is hidden. Registered as `label`; returns the bottom.
float draw_hidden_by_quiz(const Frame& frame, int slot, const Box& box, std::string_view label);

}  // namespace glassformer::app
