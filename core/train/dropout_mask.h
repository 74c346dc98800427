#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/config.h"

namespace glassformer {

/// A place in a model where training sets random numbers to 0.
struct DropoutPlace {
    std::string name;  ///< of its node: "blocks.0.hook_attn_out_dropout"
    float rate = 0.0f;
    std::uint32_t stream = 0;
    int width = 0;  ///< numbers of a word
};

/// In the order in which a model of this config runs them; none without dropout.
std::vector<DropoutPlace> dropout_places(const TransformerConfig& config);

/// What dropout does in a training step to the first words of the first sentence of the batch: 1 where a number is
/// kept, 0 where it is dropped. [words, width]. It is a function of seed and step, so any step can be looked at again.
std::vector<float> dropout_mask(const DropoutPlace& place, std::uint64_t seed, std::int64_t step, int words);

}  // namespace glassformer
