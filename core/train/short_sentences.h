#pragma once

#include <memory>

#include "core/train/batch_source.h"

namespace glassformer {

/// Of the batches of `all` only the sentences of at most `longest` tokens (both sentences, of a translation): what a
/// model learns from that is to read longer ones later. Where `all` has none that are longer, its own batches come out.
/// Throws Error where such sentences are too rare to fill a batch.
std::shared_ptr<const BatchSource> short_sentences(std::shared_ptr<const BatchSource> all, int longest);

}  // namespace glassformer
