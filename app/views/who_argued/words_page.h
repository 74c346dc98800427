#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/common/frame.h"

/// The page "words": each word's part in the chosen answer, one row per method; for a translation, with the words of
/// both sentences. The worker computes them (command::AskWordParts) while the page is on screen.
namespace glassformer::app::views::who_argued {

/// An answer and its name: "logit − mean".
struct AskedAnswer {
    AskedWordParts asked;
    std::string name;
};

/// What the logit is compared with, or whether the loss or (of a word with two meanings) the sense is asked about.
struct AnswerChoice {
    enum class Instead { none, sense, loss };
    int against = 1;  // 0: the logit itself, 1: minus the mean of all, 2: minus the runner-up
    Instead instead = Instead::none;
};

/// What is asked about the chosen word, for a word of the vocabulary and its runner-up (−1: none).
AskedWordParts asked_about(const Frame& frame, int slot, std::pair<int, int> words, const AnswerChoice& choice);
/// The chosen class (−1: the likeliest), and the likeliest other one.
std::pair<int, int> class_and_other(const Frame& frame, int slot, int chosen);

/// Draws the controls of an answer about a word and its runner-up (−1: none); returns the chosen answer.
AskedAnswer choose_answer(const Frame& frame, const Box& box, int slot, std::pair<int, int> words,
                          AnswerChoice& choice);
/// Draws the choice of a class; returns the chosen one (`chosen`, −1: the likeliest) and the likeliest other one.
std::pair<int, int> choose_class(const Frame& frame, const Box& box, int slot, int& chosen);

/// Draws the table. Its numbers are registered as "A/part removed 3", "A/part hidden 3", "A/part gradient 3", "A/part
/// integrated 3" and "A/part rollout 3", the answer as "A/part answer". The columns begin at `first_column`, which
/// scrolls. Returns the bottom.
float draw_word_parts(const Frame& frame, const Box& box, float first_column, int slot, const AskedAnswer& answer);

/// The width that its columns need.
float word_parts_width(const Frame& frame, int slot);

/// The table as text for the clipboard: one line per word, one column per method.
std::string word_parts_text(const Frame& frame, int slot, const AskedAnswer& answer);

/// Asks the worker for what was drawn in this frame. What was not drawn is asked for only if gradients are on
/// everywhere: the last answer again or, about a new sentence or model, `answer_now` (none: there is no answer).
void request_word_parts(const Frame& frame, const std::function<std::optional<AskedWordParts>(int slot)>& answer_now);

}  // namespace glassformer::app::views::who_argued
