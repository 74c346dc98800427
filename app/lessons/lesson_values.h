#pragma once

#include "app/common/lesson_secrets.h"
#include "app/lessons/lesson.h"

namespace glassformer::app {

/// A text as it is on screen: the paragraphs whose conditions hold, and the values of their {…}.
struct ShownText {
    LiveText text;
    std::vector<LiveValue> values;
};
ShownText shown_text(const LessonText& text, const LivePlace& place);
/// Returns the text with its numbers; stars and dollars stay as in the file.
std::string plain_text(const ShownText& shown);
/// In a frozen text, makes the numbers that still have their old value clickable in the trace on screen.
void open_what_is_there(ShownText& shown, const LivePlace& place);
/// Returns the longest text that its conditions allow.
LiveText longest_text(const LessonText& text);
/// Returns the text without conditional paragraphs, whose numbers do not exist yet.
LiveText sure_text(const LessonText& text);

/// A question as it is asked: what no longer changes once the guess is made.
struct AskedQuestion {
    ShownText text;                    ///< of the step
    std::vector<std::string> choices;  ///< as printed
    std::vector<bool> right;           ///< empty until the scene after the guess is on screen
};
std::vector<std::string> choices_of(const Question& question, const LivePlace& place);
/// Returns which choices are right, judged by the screen after the guess.
std::vector<bool> right_ones(const Question& question, const std::vector<std::string>& choices, const LivePlace& place);
/// If not exactly one choice is right, or there is no other, returns a sentence for the author that says so; otherwise
/// empty.
std::string why_not_one(const Question& question, const AskedQuestion& asked, const LivePlace& place);

/// Returns why the choice taken is wrong; empty if it is right or the lesson does not say.
ShownText why_wrong(const Question& question, const AskedQuestion& asked, int guess, const LivePlace& place);
/// Returns the longest text that why_wrong() may give.
LiveText longest_because(const Question& question);

/// Returns what a step hides until the guess: the values that its answer is made of, and those that it lists itself,
/// but not what its text tells. An answer about another scene than the question's is not on screen yet.
LessonSecrets secrets_of(const LessonStep& step, const LivePlace& place);
/// Returns the values that a question's answer is made of, wherever they are on screen.
LessonSecrets answer_of(const Question& question, const LivePlace& place);

}  // namespace glassformer::app
