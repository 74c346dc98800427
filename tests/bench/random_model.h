#pragma once

#include <memory>

#include "app/session/session.h"
#include "core/nn/config.h"

namespace glassformer::app::bench {

/// GPT-2's smallest size with a small vocabulary: drawing is measured, and a large one would only take memory.
TransformerConfig large_model();

/// Opens a session with random weights and `tokens` tokens in its first sentence. Leaves nothing on disk.
std::unique_ptr<Session> open_random(const TransformerConfig& config, int tokens, int threads);

}  // namespace glassformer::app::bench
