#pragma once

#include "core/backend/backend.h"

namespace glassformer {

/// The dimensions of a layer whose parts are timed.
struct LayerSizes {
    int d_model = 64, n_heads = 4, d_head = 16;
    int d_mlp() const { return 4 * d_model; }
    bool operator==(const LayerSizes&) const = default;
};

/// The part of a layer to run: attention (scores, softmax and weighted sum for all heads), O(T²·n_heads·d_head); the
/// MLP, O(T·d_model²); or a recurrent layer (tanh), one word after another, O(T·d_model²).
enum class LayerPart { attention, mlp, recurrent };

/// Returns the best time of `runs` forward passes on this device, in milliseconds, after one warm-up pass. With
/// `written`, times the work per generated word with a KV cache: attention has one query over all the words; the MLP
/// and the recurrent layer read one word.
double best_milliseconds(Backend& backend, LayerPart part, const LayerSizes& sizes, int words, int runs,
                         bool written = false);

}  // namespace glassformer
