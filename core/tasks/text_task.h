#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/train/task.h"

namespace glassformer {

/// Predicting the next token of any text, with a small decoder of GPT-2's shape. `name` is the world's name; the unit
/// is one that tokenizer_from_text knows. The metric is the loss on the last tenth of the text, in nats per token; its
/// level is that of a model that knows how frequent each token is, and nothing more, less a tenth of it. Throws Error
/// naming the file as UserText::load does, and when it has too few tokens.
std::unique_ptr<Task> text_task(const std::string& name, const std::filesystem::path& file, const std::string& unit);

}  // namespace glassformer
