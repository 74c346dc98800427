#pragma once

#include "app/common/lesson_secrets.h"
#include "app/lessons/lesson.h"

namespace glassformer::app {

/// A text as it is on screen: the paragraphs that hold, and what their {…} say.
struct ShownText {
    LiveText text;
    std::vector<LiveValue> values;
};
ShownText shown_text(const LessonText& text, const LivePlace& place);
/// With its numbers in it; the stars and dollars as they are in the file.
std::string plain_text(const ShownText& shown);
/// Of a text that was frozen, the numbers that are still what they were can be opened in the trace on screen.
void open_what_is_there(ShownText& shown, const LivePlace& place);
/// As long as any of them can be.
LiveText longest_text(const LessonText& text);
/// Without the paragraphs that depend on numbers, which are not there yet.
LiveText sure_text(const LessonText& text);

/// A question as it is asked: what does not change any more once the guess is made.
struct AskedQuestion {
    ShownText text;                    ///< of the step
    std::vector<std::string> choices;  ///< as printed
    std::vector<bool> right;           ///< empty until the scene after the guess is on screen
};
std::vector<std::string> choices_of(const Question& question, const LivePlace& place);
/// Which of the choices are right, by what is on screen after the guess.
std::vector<bool> right_ones(const Question& question, const std::vector<std::string>& choices, const LivePlace& place);
/// What is wrong where not exactly one of them is right: a sentence for the author that names what would be right;
/// else empty.
std::string why_not_one(const Question& question, const AskedQuestion& asked, const LivePlace& place);

/// Why the choice that was taken is wrong; empty where it is right, or the lesson does not say.
ShownText why_wrong(const Question& question, const AskedQuestion& asked, int guess, const LivePlace& place);
/// The longest that it can say.
LiveText longest_because(const Question& question);

/// What a step keeps back until the guess: what its answer is made of, and what it says itself; not what its text
/// tells. Where the answer is about another scene than the question's, it is not on screen yet.
LessonSecrets secrets_of(const LessonStep& step, const LivePlace& place);
/// What the answer of a question is made of, wherever it is on screen.
LessonSecrets answer_of(const Question& question, const LivePlace& place);

}  // namespace glassformer::app
