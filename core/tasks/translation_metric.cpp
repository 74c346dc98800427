#include "core/tasks/translation_metric.h"

#include <algorithm>

#include "core/base/mark_text.h"

namespace glassformer {

namespace {

std::string pattern_name(int layer) { return "blocks." + std::to_string(layer) + ".cross_attn.hook_pattern"; }

std::vector<std::string> nodes_of(const TransformerConfig& config) {
    std::vector<std::string> names = {"logits"};
    for (int layer = 0; layer < config.n_layers; ++layer) names.push_back(pattern_name(layer));
    return names;
}

}  // namespace

TranslationMetric::TranslationMetric(Backend& backend, const TransformerConfig& config, const BatchShape& shape,
                                     std::vector<TranslationPair> pairs)
    : pairs_(std::move(pairs)), batch_(backend, config, shape, batch_of(pairs_, shape), nodes_of(config)) {}

Measurement TranslationMetric::measure(std::span<const float> parameters) {
    batch_.run(parameters);
    const std::span<const float> logits = batch_.values("logits");
    const TransformerConfig& config = batch_.model().config;
    const auto positions = static_cast<std::size_t>(batch_.model().positions),
               words = static_cast<std::size_t>(config.d_vocab);
    double sentences = 0.0, right = 0.0, all = 0.0;
    for (std::size_t row = 0; row < pairs_.size(); ++row) {
        const std::vector<int>& target = pairs_[row].target;
        double here = 0.0;
        for (std::size_t p = 0; p < target.size(); ++p)
            here += largest(logits.subspan((row * positions + p) * words, words)) == target[p];
        right += here;
        all += static_cast<double>(target.size());
        sentences += here == static_cast<double>(target.size());
    }
    Measurement found{sentences / static_cast<double>(pairs_.size()), {{N_("next words right"), right / all}}};
    for (int layer = 0; layer < config.n_layers; ++layer) {
        const std::vector<double> shares = aligned(layer);
        const std::string name = "aligned, block " + std::to_string(layer);
        found.details.emplace_back(name, shares.back());
        found.details.emplace_back(name + ", best head", *std::max_element(shares.begin(), shares.end() - 1));
    }
    return found;
}

// The position that reads a word predicts the next: position p belongs to target p.
std::vector<double> TranslationMetric::aligned(int layer) {
    const std::span<const float> pattern = batch_.values(pattern_name(layer));  // [batch, head, query, key]
    const TransformerGraph& model = batch_.model();
    const auto heads = static_cast<std::size_t>(model.config.n_heads),
               queries = static_cast<std::size_t>(model.positions),
               keys = static_cast<std::size_t>(model.source_positions);
    std::vector<double> shares(heads + 1);
    std::vector<float> sum(keys);
    double all = 0.0;
    for (std::size_t row = 0; row < pairs_.size(); ++row)
        for (std::size_t p = 0; p < pairs_[row].alignment.size(); ++p) {
            std::ranges::fill(sum, 0.0f);
            for (std::size_t head = 0; head < heads; ++head) {
                const auto weights = pattern.subspan(((row * heads + head) * queries + p) * keys, keys);
                shares[head] += largest(weights) == pairs_[row].alignment[p];
                for (std::size_t key = 0; key < keys; ++key) sum[key] += weights[key];
            }
            shares[heads] += largest(sum) == pairs_[row].alignment[p];
            all += 1.0;
        }
    for (double& share : shares) share /= all;
    return shares;
}

}  // namespace glassformer
