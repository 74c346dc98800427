#pragma once

#include <vector>

#include "core/nn/transformer.h"

namespace glassformer {

/// How the logits are made from what the parts of the model wrote, read off the graph; node ids, −1 where there is
/// none.
struct UnembedPath {
    std::vector<int> written;  // summands of the last stream: hook_embed, hook_pos_embed, each hook_attn_out …
    std::vector<int> sums;     // nodes whose cells are made of the summands alone, down to the logits
    int scale = -1;            // the final norm's √(σ² + ε) or √(mean of x² + ε)
    bool centred = false;      // the final norm takes the mean away (LayerNorm)
    int gamma = -1, beta = -1;
    int unembed = -1, unembed_bias = -1;
    bool by_word = false;  // unembed is [d_vocab, d_model] (tied), not [d_model, d_vocab]
};

/// Throws Error saying why where the logits are no linear map of a plain sum.
UnembedPath find_unembed_path(const TransformerGraph& model);

}  // namespace glassformer
