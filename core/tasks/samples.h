#pragma once

#include <vector>

#include "core/train/task.h"

namespace glassformer {

/// Sentences for the menus of a world that has none of its own, as ids: drawn as its training draws them, cut after 32
/// tokens, the first two of one length.
std::vector<std::vector<int>> drawn_sentences(const BatchSource& batches);

/// Samples for a model that reads numbers: "sample 1", "sample 2" … name prompts, which have no text.
std::vector<Sample> numbered_samples();

}  // namespace glassformer
