#pragma once

#include <cmath>
#include <span>

namespace glassformer {

/// How surprised a model is by one token of a text, in bits (Shannon 1948).
struct TokenSurprise {
    double bits = std::nan("");     ///< −log₂ P(token); NaN if nothing predicts it
    double entropy = std::nan("");  ///< −Σ p log₂ p of that prediction: the expected surprise
};

/// The surprise at `token`, which softmax(logits) predicts. Computed in double after subtracting the largest logit, so
/// it is finite even if the probability underflows a float. Throws Error for a token outside the model's vocabulary.
TokenSurprise surprise_of_logits(std::span<const float> logits, int token);
/// The surprise at `token`, from the probabilities themselves; infinite if its own is 0.
TokenSurprise surprise_of_probabilities(std::span<const float> probabilities, int token);

/// The surprise over a whole text.
struct TextSurprise {
    double bits = 0.0;  ///< sum over the predicted tokens: −log₂ of their joint probability
    int tokens = 0;     ///< predicted tokens

    double per_token() const { return bits / tokens; }
    /// 2 to the power of the bits per token: as unsure as a uniform choice among this many words.
    double perplexity() const { return std::exp2(per_token()); }
};
/// Skips tokens that nothing predicts.
TextSurprise sum_of(std::span<const TokenSurprise> tokens);
/// The same for the entropies: the surprise that the model expects.
TextSurprise sum_of_entropies(std::span<const TokenSurprise> tokens);

}  // namespace glassformer
