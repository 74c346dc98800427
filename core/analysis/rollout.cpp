#include "core/analysis/rollout.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/graph/hook_names.h"

namespace glassformer {

AttentionRollout::AttentionRollout(int positions, double own)
    : positions_(static_cast<std::size_t>(positions)),
      own_(own),
      shares_(positions_ * positions_),
      mixed_(shares_.size()),
      row_(positions_) {
    for (std::size_t at = 0; at < positions_; ++at) shares_[at * positions_ + at] = 1.0;
}

void AttentionRollout::add_block(std::span<const float> pattern) {
    const std::size_t n = positions_, cells = n * n, heads = cells == 0 ? 0 : pattern.size() / cells;
    if (heads == 0 || pattern.size() != heads * cells)
        throw Error("a pattern of {1} queries and {2} keys cannot have {3} cells", n, n, pattern.size());
    std::ranges::fill(mixed_, 0.0);
    for (std::size_t query = 0; query < n; ++query) {
        std::ranges::fill(row_, 0.0);
        for (std::size_t head = 0; head < heads; ++head)
            for (std::size_t key = 0; key < n; ++key)
                row_[key] += static_cast<double>(pattern[(head * n + query) * n + key]);
        for (double& weight : row_) weight *= (1.0 - own_) / static_cast<double>(heads);
        row_[query] += own_;
        double sum = std::accumulate(row_.begin(), row_.end(), 0.0);
        if (sum <= 0.0) row_[query] = sum = 1.0;
        for (std::size_t key = 0; key < n; ++key) {
            if (row_[key] == 0.0) continue;  // masked: half of a causal pattern
            const double weight = row_[key] / sum;
            for (std::size_t from = 0; from < n; ++from) mixed_[query * n + from] += weight * shares_[key * n + from];
        }
    }
    shares_.swap(mixed_);
}

double rollout_own_share(const TransformerConfig& config) { return config.residual ? 0.5 : 0.0; }

std::string rollout_refusal(const TransformerConfig& config) {
    if (config.recurrent()) return N_("a recurrent model has no attention");
    if (config.family == Family::encoder_decoder) return N_("a translation attends to two sentences at once");
    return {};
}

std::vector<double> attention_rollout(const Trace& trace) {
    const TransformerConfig& config = trace.model().config;
    if (const std::string why = rollout_refusal(config); !why.empty())
        throw Error("there is no attention rollout: {1}", why);
    AttentionRollout rollout(trace.positions(), rollout_own_share(config));
    for (int block = 0; block < config.n_layers; ++block) {
        const int pattern = trace.graph().at(block_hook(block, "attn.hook_pattern"));
        rollout.add_block(trace.part_uncached(pattern, trace.slices(pattern).all()).values());
    }
    return rollout.shares();
}

}  // namespace glassformer
