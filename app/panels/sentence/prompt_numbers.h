#pragma once

#include <optional>
#include <string>

#include "app/session/snapshot.h"
#include "core/tasks/regression_task.h"

namespace glassformer::app {

/// A prompt of numbers has a point and its value in turn: rows (x, 0) and (0 …, y).

/// What a row of it says: "(1, 0)" of a point, "−0.5" of a value; a row of another kind in full. Empty where the
/// sentence is of words.
std::string row_of_prompt(const WatchedSentence& sentence, int d_input, int position);

/// The textbook's answer at a point, from the pairs before it; nothing where there is no point.
std::optional<double> textbook_answer(const WatchedSentence& sentence, int d_input, int position,
                                      const Regressor& method);

/// The value of a point that the prompt goes on with; nothing where there is no point, or no value behind it.
std::optional<double> value_in_prompt(const WatchedSentence& sentence, int d_input, int position);

}  // namespace glassformer::app
