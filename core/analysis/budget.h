#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/nn/config.h"

namespace glassformer {

/// What a part of a model is for, in the order of a forward pass.
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

/// A product that stands `times` times in a sum: the cells of "W_Q", 768 × 768, in 12 blocks.
struct BudgetTerm {
    std::string name;  // "W_Q", "x · W_Q", "q · k"
    std::vector<std::int64_t> factors;
    std::int64_t times = 1;

    /// The product of the factors, times `times`: exact below 2⁵³.
    double value() const;
    bool operator==(const BudgetTerm&) const = default;
};

/// What one part takes.
struct BudgetLine {
    BudgetPart part = BudgetPart::embedding;
    std::vector<BudgetTerm> parameters, multiplications;  // that add up
};
double sum_of(std::span<const BudgetTerm> terms);

/// What a model of some configuration takes when it reads a text of so many tokens, from its shapes alone.
///
/// Multiplications are those of the forward pass of one text: of a linear map rows · d_in · d_out, of attention
/// n_heads · T · T · d for its scores and again for the mix of the values, whether a mask hides the pair or not; of a
/// norm one for each number that each of its steps makes or sums. Looking up a row takes none, and those of activation
/// functions, of softmax and of the scale are left out. A matrix that is used twice (tied words) has its parameters
/// once, in the part that has it first. An addition goes with each multiplication: FLOPs are twice as many.
struct Budget {
    int tokens = 0;
    std::vector<BudgetLine> lines;  // of the parts that the model has, in the order of BudgetPart
    double parameters = 0, multiplications = 0;

    // Numbers to be held, not bytes.
    BudgetTerm kept;     // keys and values of the text, so that its next token is read alone; 0 of a model without
    BudgetTerm weights;  // attention weights of one block, all heads: T² each
    double forward = 0;  // that a forward pass of this program holds at most at one time

    const BudgetLine* line(BudgetPart part) const;
    /// With kept keys and values, of one more token after T − 1 others.
    double per_token() const { return multiplications / tokens; }
};

/// Throws Error as validate() does, and for less than one token. A text may be longer than the model reads: the
/// parameters are then those of the model as it is.
Budget budget_of(const TransformerConfig& config, int tokens);

/// The numbers that a pass forward and back over one such text holds at most at one time, with the gradients of what it
/// holds: the plan of this program. Throws Error as budget_of() does.
double training_pass(const TransformerConfig& config, int tokens);

/// A model that was published, by its shape.
struct PublishedShape {
    std::string_view name;
    TransformerConfig config;
    double parameters = 0;    // as published
    double known_to = 0;      // how far that number may be off by its rounding; 0: exact
    std::string_view source;  // where both are published
};
/// From the smallest to the largest.
std::span<const PublishedShape> published_shapes();

}  // namespace glassformer
