#pragma once

#include "app/common/frame.h"
#include "app/common/sentence_edit.h"

/// The parts of a sentence's card.
namespace glassformer::app {

/// The tooltip of the button for a second sentence.
extern const char* const second_sentence_hint;

SentenceEdit& edit_of(const Frame& frame, int slot);

/// Asks the worker for a sentence, and makes its card the one that keyboard commands act on.
void watch_sentence(const Frame& frame, int slot, const std::string& text);

/// After Enter, the field waits for the worker's answer; it closes if the sentence could be read.
void settle_typing(const Frame& frame, int slot);

/// Returns true if the model distinguishes a second sentence from the first, as BERT does.
bool reads_two_sentences(const ModelInfo& model);

/// Opens the fields for the card's sentence and a second one after it.
void type_second_sentence(const Frame& frame, int slot);

/// Draws the field, or both fields, in place of the words; returns the y below them.
float draw_typing_field(const Frame& frame, const Box& box, int slot);

/// Draws the words of a sentence as chips, coloured by how much the chosen word attends to them in the chosen head. In
/// a translation, the source's words come first. Dragging a chip onto another one swaps the two, a double click
/// replaces its word. A long sentence becomes a few lines that scroll. Returns the y below them (sentence_chips.cpp).
float draw_sentence_chips(const Frame& frame, const Box& box, int slot);

/// Draws the sentence's total bits, its bits per token and its perplexity below the words, from `y` on, while they are
/// coloured by surprise or entropy. Returns the y below (surprise_line.cpp).
float draw_surprise_line(const Frame& frame, const Box& box, float y, int slot);
/// Draws the button that shows and changes what the words are coloured by, at the right of the box. Returns its left
/// edge.
float draw_colour_button(const Frame& frame, const Box& box, int slot);

/// Returns true if all chips fit in one line of that width; false also if the words form groups.
bool sentence_chips_fit(const Frame& frame, int slot, float width);

/// Returns true if a word is not in the model's vocabulary.
bool is_unknown(const Frame& frame, int slot, int position);

/// Draws the top of a sentence's card: its letter and sense, the samples, its tokens as chips (or a field to type
/// another), and help with unknown words. Without `words`, draws no chips. Returns the y below it
/// (sentence_picker.cpp).
float draw_sentence_picker(const Frame& frame, const Box& box, int slot, bool words = true);

/// Draws help with words outside the model's vocabulary, from `y` on: the known words with the most similar spelling,
/// as clickable chips. Returns the y below (unknown_words.cpp).
float draw_unknown_words(const Frame& frame, const Box& box, float y, int slot);

}  // namespace glassformer::app
