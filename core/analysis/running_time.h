#pragma once

#include "core/backend/backend.h"

namespace glassformer {

/// The sizes of a layer whose parts are timed.
struct LayerSizes {
    int d_model = 64, n_heads = 4, d_head = 16;
    int d_mlp() const { return 4 * d_model; }
    bool operator==(const LayerSizes&) const = default;
};

/// What of a layer is run over so many words: the scores, the softmax and the mix of all heads, O(T²·n_heads·d_head);
/// the MLP, O(T·d_model²); a recurrent layer (tanh), one word after another, O(T·d_model²).
enum class LayerPart { attention, mlp, recurrent };

/// The best time of `runs` forward passes on this device, in milliseconds, after one that is not counted. With
/// `written`, one word looks at all of them: what a model that writes does for each word, with kept keys and values
/// (attention; the MLP and the recurrent layer read one word).
double best_milliseconds(Backend& backend, LayerPart part, const LayerSizes& sizes, int words, int runs,
                         bool written = false);

}  // namespace glassformer
