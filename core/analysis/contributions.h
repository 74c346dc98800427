#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// What one part of a model adds to a logit.
struct Contribution {
    enum class Kind {
        embed,
        pos_embed,
        head,
        attention_bias,
        attention,
        mlp,
        recurrent,
        final_norm_bias,
        unembed_bias
    };
    Kind kind = Kind::embed;
    std::string node;    // that it was read from: "blocks.1.attn.hook_result", "ln_final.b"
    int block = -1;      // −1 outside the blocks
    int head = -1;       // Kind::head only
    double value = 0.0;  // in logits
};

struct Contributions {
    std::vector<Contribution> terms;  // in the order of the stream: embedding first, biases of the output head last
    double sum = 0.0;                 // of the terms
    double traced = 0.0;              // the logit, or the difference of logits, in the trace
};

/// Direct logit attribution (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; the final norm
/// held fixed as is usual since). At the last block the stream is a sum x = Σ_t x_t of what the embeddings, heads,
/// recurrent layers and MLPs wrote, and the output head is linear in it once the final norm's √(σ² + ε) = s is taken
/// from the trace:
///     logit_w = Σ_t Σ_j (x_tj − μ_t)/s · γ_j · U_jw  +  Σ_j β_j · U_jw  +  b_w
/// μ_t is the mean of x_t itself over the features: the norm's mean μ is Σ_t μ_t, so that nothing is left over.
/// RMSNorm has no μ, no β; a model without a final norm neither, and s = γ = 1.
///
/// Attention is split into its heads and b_O where the trace has hook_result, and stands whole
/// (Kind::attention) where it has none or where an intervention set hook_attn_out.
/// With `minus` ≥ 0: what each part adds to logit(word) − logit(minus).
/// Throws Error for a word or position that is not there, and where there is no such sum: an intervention set cells of
/// the stream or of the output head; or the stream is no plain sum that begins with the embedding (post-LN,
/// stream-first, batch norm, no residual connections), or the output head more than a LayerNorm or RMSNorm and an
/// unembedding into words.
Contributions logit_contributions(const Trace& trace, int position, int word, int minus = -1);

/// The same for logit(word) less the mean of all logits at the position. The probabilities stay what they are when one
/// number is added to every logit, so a logit says something only beside others; the mean stands for all of them.
Contributions contributions_above_mean(const Trace& trace, int position, int word);

}  // namespace glassformer
