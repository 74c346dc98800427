#pragma once

#include <filesystem>
#include <memory>

#include "core/train/task.h"

namespace glassformer {

/// The French tokenizer's words for the beginning and the end of a translation.
inline constexpr const char *bos_word = "<bos>", *eos_word = "<eos>";

/// English to French: the language of a file like translation.words, an encoder–decoder with a vocabulary for each
/// side, trained with the true words so far (teacher forcing): tokens "<bos> le chat …", targets "le chat … <eos>".
/// The metric is the share of held-out sentences that greedy decoding translates right from the first word to <eos>.
/// Throws Error as TranslationWorld::load does.
std::unique_ptr<Task> make_translation_task(const std::filesystem::path& file);

}  // namespace glassformer
