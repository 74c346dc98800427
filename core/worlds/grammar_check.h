#pragma once

#include <cstddef>

#include "core/worlds/grammar.h"

namespace glassformer {

/// Throws Error naming the file and the line unless
/// - no symbol contains itself (the message names the cycle), and none is nested deeper than 32;
/// - every homonym has two senses, and every sense has training and held-out templates;
/// - no sentence is longer than Grammar::max_words, and no template can say more than 10^12 sentences;
/// - no homonym of the world is also used as a plain word, so that each sentence has exactly one;
/// - every word of a held-out template or a sample is also a word of a training template;
/// - no two samples say the same.
void check_grammar(const Grammar& grammar);

/// In words, over all templates and samples of a grammar that passes check_grammar.
std::size_t longest_sentence(const Grammar& grammar);

}  // namespace glassformer
