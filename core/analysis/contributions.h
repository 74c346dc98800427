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
    std::string node;    // where it was read: "blocks.1.attn.hook_result", "ln_final.b"
    int block = -1;      // −1 outside the blocks
    int head = -1;       // Kind::head only
    double value = 0.0;  // in logits
};

struct Contributions {
    std::vector<Contribution> terms;  // in stream order: embedding first, biases of the output head last
    double sum = 0.0;                 // of the terms
    double traced = 0.0;              // the logit, or logit difference, in the trace
};

/// Direct logit attribution (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"), with the final
/// norm held fixed, as has been usual since. At the last block the stream is a sum x = Σ_t x_t of what the embeddings,
/// heads, recurrent layers and MLPs wrote. The output head is linear in x once the final norm's √(σ² + ε) = s is taken
/// from the trace:
///     logit_w = Σ_t Σ_j (x_tj − μ_t)/s · γ_j · U_jw  +  Σ_j β_j · U_jw  +  b_w
/// μ_t is the mean of x_t itself over the features. The norm's mean μ is Σ_t μ_t, so nothing is left over. RMSNorm has
/// no μ and no β; nor has a model without a final norm, where s = γ = 1.
///
/// Attention is split into its heads and b_O if the trace has hook_result. It stays whole (Kind::attention) if the
/// trace has none or an intervention set hook_attn_out.
/// With `minus` ≥ 0, returns what each part adds to logit(word) − logit(minus).
/// Throws Error if the word or position does not exist, or if there is no such sum. That is so if an intervention set
/// cells of the stream or of the output head; if the stream is not a plain sum that begins with the embedding (post-LN,
/// stream-first, batch norm, no residual connections); or if the output head is more than a LayerNorm or RMSNorm and an
/// unembedding into words.
Contributions logit_contributions(const Trace& trace, int position, int word, int minus = -1);

/// The same for logit(word) minus the mean of all logits at the position. Adding one number to every logit leaves the
/// probabilities unchanged, so a logit means something only relative to others; the mean stands for all of them.
Contributions contributions_above_mean(const Trace& trace, int position, int word);

}  // namespace glassformer
