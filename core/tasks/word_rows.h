#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/text/word_tokenizer.h"
#include "core/train/batch_source.h"

namespace glassformer {

/// The ids of a world's words. Throws Error naming a word that the tokenizer does not have.
std::vector<int> word_ids(const WordTokenizer& tokenizer, std::span<const std::string> words);

/// Empties a batch whose every position has a next token: tokens, key_mask, targets and loss_weights are zeros.
void clear_rows(std::size_t rows, std::size_t positions, Batch& out);

/// Writes ids into row `row` of values [batch, positions], from its first cell on.
void put_row(std::span<const int> ids, std::size_t row, std::size_t positions, std::vector<float>& values);

/// Writes ones into the first `count` cells of that row.
void put_ones(std::size_t count, std::size_t row, std::size_t positions, std::vector<float>& values);

}  // namespace glassformer
