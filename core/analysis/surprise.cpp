#include "core/analysis/surprise.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

namespace {

void require_token(std::span<const float> words, int token) {
    if (token < 0 || token >= static_cast<int>(words.size()))
        throw Error("there is no token {1}; the model predicts the tokens 0 to {2}", token, words.size() - 1);
}

}  // namespace

TokenSurprise surprise_of_logits(std::span<const float> logits, int token) {
    require_token(logits, token);
    const double largest = static_cast<double>(*std::ranges::max_element(logits));
    double sum = 0.0, mean = 0.0;  // Σ eˣ and Σ x eˣ
    for (const float logit : logits) {
        const double x = static_cast<double>(logit) - largest, e = std::exp(x);
        sum += e;
        if (e > 0.0) mean += x * e;
    }
    // −log₂(eˣ / Σ) = (ln Σ − x) / ln 2, and the entropy is its mean.
    const double x = static_cast<double>(logits[token]) - largest;
    return {(std::log(sum) - x) / std::log(2.0), (std::log(sum) - mean / sum) / std::log(2.0)};
}

TokenSurprise surprise_of_probabilities(std::span<const float> probabilities, int token) {
    require_token(probabilities, token);
    double entropy = 0.0;
    for (const float p : probabilities)
        if (p > 0.0f) entropy -= static_cast<double>(p) * std::log2(static_cast<double>(p));
    return {-std::log2(static_cast<double>(probabilities[token])), entropy};
}

namespace {

TextSurprise sum_of(std::span<const TokenSurprise> tokens, double TokenSurprise::*bits) {
    TextSurprise sum;
    for (const TokenSurprise& token : tokens) {
        if (std::isnan(token.*bits)) continue;
        sum.bits += token.*bits;
        ++sum.tokens;
    }
    return sum;
}

}  // namespace

TextSurprise sum_of(std::span<const TokenSurprise> tokens) { return sum_of(tokens, &TokenSurprise::bits); }
TextSurprise sum_of_entropies(std::span<const TokenSurprise> tokens) { return sum_of(tokens, &TokenSurprise::entropy); }

}  // namespace glassformer
