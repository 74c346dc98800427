#pragma once

#include "app/session/snapshot.h"

/// Hidden words: the token that is in their place is the tokenizer's own.
namespace glassformer::app {

/// Whether a token stands for a hidden word.
bool is_mask(const ModelInfo& model, int id);

/// Whether the model says which word is hidden: it reads in both directions, or was taught to fill hidden words.
bool fills_masks(const ModelInfo& model);

}  // namespace glassformer::app
