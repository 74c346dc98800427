#pragma once

#include "app/common/frame.h"
#include "app/common/sentence_edit.h"

/// The parts of a sentence's card.
namespace glassformer::app {

/// What the button for a second sentence tells.
extern const char* const second_sentence_hint;

SentenceEdit& edit_of(const Frame& frame, int slot);

/// Asks the worker for a sentence, and makes its card the one that the keyboard acts on.
void watch_sentence(const Frame& frame, int slot, const std::string& text);

/// After Enter the field waits for the worker's answer: it closes for a sentence that could be read.
void settle_typing(const Frame& frame, int slot);

/// Whether the model tells a second sentence from the first, as BERT does.
bool reads_two_sentences(const ModelInfo& model);

/// Opens the fields for the card's sentence and a second one after it.
void type_second_sentence(const Frame& frame, int slot);

/// The field, or the two fields, in the place of the words; returns the y below it.
float draw_typing_field(const Frame& frame, const Box& box, int slot);

/// The words of a sentence as chips, coloured by what the chosen one looks at in the chosen head; of a translation the
/// source's words first. One that is dragged onto another swaps with it, a double click types another word in its
/// place. A long sentence is a few lines that scroll. Returns the y below them (sentence_chips.cpp).
float draw_sentence_chips(const Frame& frame, const Box& box, int slot);

/// The sentence's bits, per token and its perplexity, below the words from `y` on, while they are coloured by surprise
/// or entropy. Returns the y below (surprise_line.cpp).
float draw_surprise_line(const Frame& frame, const Box& box, float y, int slot);
/// What the words are coloured by, to be changed by a click, at the right of the box. Returns where it begins.
float draw_colour_button(const Frame& frame, const Box& box, int slot);

/// Whether they all find room in one line of that width. False too where they stand in groups.
bool sentence_chips_fit(const Frame& frame, int slot, float width);

/// Whether a word is not in the model's vocabulary.
bool is_unknown(const Frame& frame, int slot, int position);

/// The top of a sentence's card: its letter and sense, the samples, its tokens as chips (or a field to type another),
/// and what to do about unknown words. Without `words` no chips. Returns the y below it (sentence_picker.cpp).
float draw_sentence_picker(const Frame& frame, const Box& box, int slot, bool words = true);

/// What to do about words that are not in the model's vocabulary, from `y` on: the known ones that are spelt most like
/// them, to click. Returns the y below (unknown_words.cpp).
float draw_unknown_words(const Frame& frame, const Box& box, float y, int slot);

}  // namespace glassformer::app
