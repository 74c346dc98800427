#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// Attention rollout (Abnar & Zuidema 2020, "Quantifying Attention Flow in Transformers"): how much of each input
/// token's position reaches each position after some blocks, if all that attention did were to mix positions by its
/// weights:
///     R₀ = I,    R_l = Ã_l · R_{l−1},    Ã_l = own · I + (1 − own) · (1/H) · Σ_h A_{l,h}
/// `own` stands for the residual connection, which passes each position on unchanged: ½ with it, 0 without. Each row of
/// Ã is divided by its sum, so that the rows of R sum to 1 even where an intervention has set other weights. A row of
/// zeros (all heads off and no residual connection) becomes a row of I. Ignores what values, W_O and MLPs do to the
/// content: rollout follows positions, not meaning.
class AttentionRollout {
public:
    explicit AttentionRollout(int positions, double own = 0.5);

    /// Adds the next block's weights [head, query, key]. Throws Error if they do not match the number of positions.
    void add_block(std::span<const float> pattern);

    int positions() const { return static_cast<int>(positions_); }
    /// R of the blocks so far, [query, key]: how much of `query`'s row comes from each input token.
    const std::vector<double>& shares() const { return shares_; }
    std::span<const double> of(int query) const {
        return std::span(shares_).subspan(static_cast<std::size_t>(query) * positions_, positions_);
    }

private:
    std::size_t positions_;
    double own_;
    std::vector<double> shares_, mixed_, row_;
};

/// The value of `own` for a model: ½, or 0 if it has no residual connection around attention.
double rollout_own_share(const TransformerConfig& config);

/// The rollout over all blocks of a traced sentence, [query, key]. Throws Error if rollout_refusal() is not empty.
std::vector<double> attention_rollout(const Trace& trace);

/// Why a model has no rollout; empty if it has one.
std::string rollout_refusal(const TransformerConfig& config);

}  // namespace glassformer
