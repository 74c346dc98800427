#pragma once

#include <memory>
#include <string>

#include "core/tasks/world_kind.h"
#include "core/train/world_source.h"

namespace glassformer {

/// Predicting the next token of any text, with a small decoder of GPT-2's shape. The unit is one that
/// tokenizer_from_text knows. The metric is the loss on the last tenth of the text, in nats per token; its level is
/// that of a model that knows how frequent each token is, and nothing more, less a tenth of it. Throws Error naming the
/// file as UserText::parse does, and when it has too few tokens.
TaskDefinition text_task(const WorldFile& file, const std::string& unit);

/// The same of a text of which only the held-out part is here, with the tokenizer that was made from all of it: it can
/// be measured, and not trained on. Throws Error where that is no such source.
TaskDefinition held_out_text_task(const WorldSource& source, std::shared_ptr<const Tokenizer> tokenizer);

}  // namespace glassformer
