#pragma once

#include <cstdint>

#include "core/train/batch_source.h"

namespace glassformer {

/// Held-out data that are drawn at random come from this stream, which no batch (batch_streams and above) and no
/// parameter (from 0 on) ever uses; so they differ from what is trained on, whatever the seed of the training.
inline constexpr std::uint64_t held_out_seed = 1, held_out_stream = batch_streams - 1;

}  // namespace glassformer
