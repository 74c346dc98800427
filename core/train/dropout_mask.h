#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/config.h"

namespace glassformer {

/// A point in the model where training sets randomly chosen values to 0.
struct DropoutPlace {
    std::string name;  ///< of the node: "blocks.0.hook_attn_out_dropout"
    float rate = 0.0f;
    std::uint32_t stream = 0;
    int width = 0;  ///< values per word
};

/// All dropout points in the order in which a model of this config runs them; empty without dropout.
std::vector<DropoutPlace> dropout_places(const TransformerConfig& config);

/// The dropout mask of a training step for the first words of the batch's first sentence: 1 where a value is kept, 0
/// where it is dropped; [words, width]. It depends only on seed and step, so any step can be inspected again.
std::vector<float> dropout_mask(const DropoutPlace& place, std::uint64_t seed, std::int64_t step, int words);

}  // namespace glassformer
