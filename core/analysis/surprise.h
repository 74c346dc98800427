#pragma once

#include <cmath>
#include <span>

namespace glassformer {

/// How surprised a model is by one token of a text, in bits (Shannon 1948).
struct TokenSurprise {
    double bits = std::nan("");     ///< −log₂ P(token); NaN where nothing predicts it
    double entropy = std::nan("");  ///< −Σ p log₂ p of that prediction: the bits it expects to need
};

/// Of `token`, which softmax(logits) predicts. Computed in double, with the largest logit taken out first, so that it
/// is finite even where the probability is too small for a float. Throws Error for a token that the model does not
/// know.
TokenSurprise surprise_of_logits(std::span<const float> logits, int token);
/// Of `token`, from the probabilities themselves; infinite where its own is 0.
TokenSurprise surprise_of_probabilities(std::span<const float> probabilities, int token);

/// Of a whole text.
struct TextSurprise {
    double bits = 0.0;  ///< the sum over its predicted tokens: −log₂ of the probability of all of them
    int tokens = 0;     ///< that are predicted

    double per_token() const { return bits / tokens; }
    /// 2 to the bits per token: a model that always chose among this many equal words would be as unsure.
    double perplexity() const { return std::exp2(per_token()); }
};
/// Leaves out tokens that nothing predicts.
TextSurprise sum_of(std::span<const TokenSurprise> tokens);
/// The same of the entropies: what the model expects to need.
TextSurprise sum_of_entropies(std::span<const TokenSurprise> tokens);

}  // namespace glassformer
