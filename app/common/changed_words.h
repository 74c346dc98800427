#pragma once

#include <optional>
#include <string>

#include "app/common/frame.h"

/// Replaces words of a sentence.
namespace glassformer::app {

/// The card's sentence with `word` at a position; `was` receives the word it replaces. Empty if that is impossible.
std::optional<std::string> sentence_with(const Frame& frame, int slot, int position, const std::string& word,
                                         std::string& was);

/// The word at a position as the card's text has it, which is what change_word() replaces; "▢" for a mask. Empty for a
/// token that stands for nothing in it: a special token that the tokenizer adds, or a blank.
std::string word_in_text(const Frame& frame, int slot, int position);

/// True if change_word() and swap_words() work on a card: it shows its own sentence, its model does not translate, and
/// they know its tokenizer.
bool can_change_words(const Frame& frame, int slot);
/// Asks the worker for the sentence with another word at a position.
void change_word(const Frame& frame, int slot, int position, const std::string& word);
/// Asks the worker for the sentence with two words swapped.
void swap_words(const Frame& frame, int slot, int a, int b);

}  // namespace glassformer::app
