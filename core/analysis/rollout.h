#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// Attention rollout (Abnar & Zuidema 2020, "Quantifying Attention Flow in Transformers"): how much of each input
/// token's place reaches each place after some blocks, if all that attention did were to mix places by its weights:
///     R₀ = I,    R_l = Ã_l · R_{l−1},    Ã_l = own · I + (1 − own) · (1/H) · Σ_h A_{l,h}
/// `own` stands for the residual connection, which passes each place on as it is: ½ with it, 0 without. Each row of Ã
/// is divided by its sum, so that the rows of R sum to 1 even where a change has set other weights; a row of zeros (all
/// heads are off, and no residual connection) becomes one of I. What values, W_O
/// and MLPs do to the content is left out: it follows places, not meaning.
class AttentionRollout {
public:
    explicit AttentionRollout(int positions, double own = 0.5);

    /// The next block's weights [head, query, key]. Throws Error when they are not of so many positions.
    void add_block(std::span<const float> pattern);

    int positions() const { return static_cast<int>(positions_); }
    /// R of the blocks so far, [query, key]: the shares of `query`'s row after them that come from each input token.
    const std::vector<double>& shares() const { return shares_; }
    std::span<const double> of(int query) const {
        return std::span(shares_).subspan(static_cast<std::size_t>(query) * positions_, positions_);
    }

private:
    std::size_t positions_;
    double own_;
    std::vector<double> shares_, mixed_, row_;
};

/// What `own` is for this model: ½, or 0 where it has no residual connections around attention.
double rollout_own_share(const TransformerConfig& config);

/// Of all blocks of a traced sentence, [query, key]. Throws Error where there is none, see rollout_refusal().
std::vector<double> attention_rollout(const Trace& trace);

/// Why a model has no rollout; empty where it has.
std::string rollout_refusal(const TransformerConfig& config);

}  // namespace glassformer
