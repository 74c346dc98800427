#pragma once

#include <memory>

#include "app/session/session.h"
#include "core/nn/config.h"

namespace glassformer::app::bench {

/// GPT-2's smallest size with few words: what is measured is drawing, and a large vocabulary would only take memory.
TransformerConfig large_model();

/// A session with a model of random weights and so many tokens in its first sentence. Nothing of it is left on the disk
/// when this returns.
std::unique_ptr<Session> open_random(const TransformerConfig& config, int tokens, int threads);

}  // namespace glassformer::app::bench
