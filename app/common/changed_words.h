#pragma once

#include <optional>
#include <string>

#include "app/common/frame.h"

/// A sentence with one of its words exchanged.
namespace glassformer::app {

/// The card's sentence with something else at a position; `was` gets what stood there. Nothing where that cannot be.
std::optional<std::string> sentence_with(const Frame& frame, int slot, int position, const std::string& word,
                                         std::string& was);

/// Whether change_word() and swap_words() can do something with the words of a card: it shows a sentence of its own, in
/// a language whose words they know.
bool can_change_words(const Frame& frame, int slot);
/// Asks the worker for the sentence with another word at a position.
void change_word(const Frame& frame, int slot, int position, const std::string& word);
/// Asks for the sentence with two of its words in each other's place.
void swap_words(const Frame& frame, int slot, int a, int b);

}  // namespace glassformer::app
