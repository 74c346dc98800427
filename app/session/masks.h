#pragma once

#include <optional>

#include "app/session/snapshot.h"

/// Masked words: the token in their place is the tokenizer's own mask token.
namespace glassformer::app {

/// Returns the mask token; none if the tokenizer has none, or the model no embedding for it.
std::optional<int> mask_of(const ModelInfo& model);

/// Returns whether a token is the mask.
bool is_mask(const ModelInfo& model, int id);

/// Returns whether the model predicts masked words: it reads in both directions, or was trained to fill masks.
bool fills_masks(const ModelInfo& model);

}  // namespace glassformer::app
