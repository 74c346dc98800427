#pragma once

#include <optional>
#include <string>

#include "app/session/snapshot.h"
#include "core/tasks/regression_task.h"

namespace glassformer::app {

/// A prompt of numbers alternates between a point and its value: rows (x, 0) and (0 …, y).

/// Returns the text of a row: "(1, 0)" for a point, "−0.5" for a value; any other row in full. Empty if the sentence
/// consists of words.
std::string row_of_prompt(const WatchedSentence& sentence, int d_input, int position);

/// Returns the textbook's answer at a point, from the pairs before it; nullopt if there is no point.
std::optional<double> textbook_answer(const WatchedSentence& sentence, int d_input, int position,
                                      const Regressor& method);

/// Returns the value that follows a point in the prompt; nullopt if there is no point, or no value after it.
std::optional<double> value_in_prompt(const WatchedSentence& sentence, int d_input, int position);

}  // namespace glassformer::app
