#pragma once

#include <string>
#include <utility>

#include "app/common/frame.h"

/// The page "words": what part each word of the sentence has in the answer that is asked about, by every method, a row
/// for each; of a translation the words of both sentences. The worker finds them (command::AskWordParts) as long as the
/// page is on screen.
namespace glassformer::app::views::who_argued {

/// An answer, and what it is called: "logit − mean".
struct AskedAnswer {
    AskedWordParts asked;
    std::string name;
};

/// What the logit is compared with, and whether the sense, of a word that has two, or the loss is asked about instead.
struct AnswerChoice {
    enum class Instead { none, sense, loss };
    int against = 1;  // the logit itself, less the mean of all, less the runner-up
    Instead instead = Instead::none;
};

/// The controls of an answer to a word and its runner-up (−1: none); returns the answer that they make.
AskedAnswer choose_answer(const Frame& frame, const Box& box, int slot, std::pair<int, int> words,
                          AnswerChoice& choice);
/// Which class is asked about (`chosen`, −1: the likeliest), and the likeliest other one.
std::pair<int, int> choose_class(const Frame& frame, const Box& box, int slot, int& chosen);

/// Numbers are registered as "A/part removed 3", "A/part hidden 3", "A/part gradient 3", "A/part integrated 3" and
/// "A/part rollout 3", the answer as "A/part answer". The columns begin at `first_column`, which scrolls. Returns the
/// bottom.
float draw_word_parts(const Frame& frame, const Box& box, float first_column, int slot, const AskedAnswer& answer);

/// The width that its columns need.
float word_parts_width(const Frame& frame, int slot);

/// A table for the clipboard: a line for each word, a column for each method.
std::string word_parts_text(const Frame& frame, int slot, const AskedAnswer& answer);

/// Asks the worker for what was drawn in this frame, and for nothing where nothing was.
void request_word_parts(const Frame& frame);

}  // namespace glassformer::app::views::who_argued
