#pragma once

#include "app/common/predict_first.h"
#include "app/language/tr.h"

/// What no view may tell as long as "Predict first" waits for a guess (predict_first.h): the row of the chosen word in
/// the chosen head, in whatever picture it stands, and what the model says at that word.
namespace glassformer::app {

/// The row of a head's pattern that a card keeps back; −1: none. Two cards that show one trace keep back each other's.
int row_hidden_by_quiz(const Frame& frame, int slot, const HeadChoice& head, bool cross = false);
/// Whether a number of a card's trace is a score or a weight of such a row, or says what the model says there.
bool is_hidden_by_quiz(const Frame& frame, int slot, const Cell& cell);

/// What is shown where something is kept back, for tooltips.
inline constexpr std::string_view say_it_first = N_("First guess what it attends to most");
/// In the place of what would tell it: which word is to be guessed, and where. Registered as `label`; returns the
/// bottom.
float draw_hidden_by_quiz(const Frame& frame, int slot, const Box& box, std::string_view label);

}  // namespace glassformer::app
