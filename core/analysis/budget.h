#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/nn/config.h"

namespace glassformer {

/// The purpose of a part of a model, in the order of a forward pass.
enum class BudgetPart {
    embedding,
    positions,
    query,
    key,
    value,
    scores,  // q · k, and weights · v
    output,  // W_O
    mlp,
    recurrent,
    norms,
    head,  // between the last block and the unembedding, and a pooler
    unembedding,
};
inline constexpr int budget_parts = static_cast<int>(BudgetPart::unembedding) + 1;

/// A product that occurs `times` times in a sum: the cells of "W_Q", 768 × 768, in 12 blocks.
struct BudgetTerm {
    std::string name;  // "W_Q", "x · W_Q", "q · k"
    std::vector<std::int64_t> factors;
    std::int64_t times = 1;

    /// The product of the factors, times `times`: exact below 2⁵³.
    double value() const;
    bool operator==(const BudgetTerm&) const = default;
};

/// The cost of one part.
struct BudgetLine {
    BudgetPart part = BudgetPart::embedding;
    std::vector<BudgetTerm> parameters, multiplications;  // terms of a sum
};
double sum_of(std::span<const BudgetTerm> terms);

/// What a model with some configuration costs to run on a text of `tokens` tokens, computed from its shapes alone.
///
/// Multiplications are those of the forward pass over one text: rows · d_in · d_out for a linear map; n_heads · T · T ·
/// d for the scores of attention and again for mixing the values, whether or not a mask hides the pair; and for a norm,
/// one for each number that each of its steps produces or sums. Row lookups cost none; activation functions, softmax
/// and the scale are not counted. A matrix used twice (tied embeddings) counts its parameters once, in the first part
/// that has it. There is one addition per multiplication, so FLOPs are twice as many.
struct Budget {
    int tokens = 0;
    std::vector<BudgetLine> lines;  // the parts that the model has, in the order of BudgetPart
    double parameters = 0, multiplications = 0;

    // Counts of stored numbers, not bytes.
    BudgetTerm kept;     // KV cache of the text, so that only its next token is computed; 0 if the model has none
    BudgetTerm weights;  // attention weights of one block, all heads: T² each
    double forward = 0;  // peak of a forward pass in this program

    const BudgetLine* line(BudgetPart part) const;
    /// With a KV cache: the cost of one more token after T − 1 others.
    double per_token() const { return multiplications / tokens; }
};

/// Throws Error like validate(), and for fewer than one token. A text may be longer than the model can read; the
/// parameters are then those of the unchanged model.
Budget budget_of(const TransformerConfig& config, int tokens);

/// The peak number of values that a forward and backward pass over one such text holds, gradients included, according
/// to this program's plan. Throws Error like budget_of().
double training_pass(const TransformerConfig& config, int tokens);

/// The shape of a published model.
struct PublishedShape {
    std::string_view name;
    TransformerConfig config;
    double parameters = 0;    // as published
    double known_to = 0;      // rounding error of the published number; 0: exact
    std::string_view source;  // where both are published
};
/// Sorted from smallest to largest.
std::span<const PublishedShape> published_shapes();

}  // namespace glassformer
