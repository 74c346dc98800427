#pragma once

#include "app/common/frame.h"
#include "app/common/sentence_edit.h"

/// A sentence that is typed into its card (sentence_typing.cpp).
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

}  // namespace glassformer::app
