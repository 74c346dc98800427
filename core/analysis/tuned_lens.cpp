#include "core/analysis/tuned_lens.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/ops/ops.h"

namespace glassformer {

void apply_map(std::span<const float> values, std::int64_t d, std::span<const float> x, std::span<float> out,
               ThreadPool& pool) {
    const Shape rows{static_cast<std::int64_t>(x.size()) / d, d};
    const ConstView inputs[] = {{x.data(), rows}, {values.data(), {d, d}}, {values.data() + d * d, {d}}};
    ops::linear()->forward({inputs, {out.data(), rows}, pool});
    for (std::size_t i = 0; i < x.size(); ++i) out[i] += x[i];
}

void TunedLens::apply(int layer, std::span<const float> x, std::span<float> out, ThreadPool& pool) const {
    if (layer < 0 || layer > static_cast<int>(maps.size()))
        throw Error("there is no layer {1} in the tuned lens; they go from 0 to {2}", layer, maps.size());
    if (layer == static_cast<int>(maps.size())) return void(std::ranges::copy(x, out.begin()));
    apply_map(maps[layer].values, d_model, x, out, pool);
}

// With log p = z − log Σ eᶻ, and likewise for q:  Σ p (log p − log q) = Σ p (z_p − z_q) − (log Σ_p − log Σ_q). The log
// of a sum is the most probable word's logit minus the log of its probability.
double mean_kl(std::span<const float> truth_logits, std::span<const float> truth, std::span<const float> said_logits,
               std::span<const float> said, std::size_t words) {
    const std::size_t rows = truth.size() / words;
    double sum = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t at = row * words;
        const auto log_sum = [&](std::span<const float> logits, std::span<const float> probabilities) {
            const auto first = logits.begin() + static_cast<std::ptrdiff_t>(at);
            const std::size_t best =
                at +
                static_cast<std::size_t>(std::max_element(first, first + static_cast<std::ptrdiff_t>(words)) - first);
            return static_cast<double>(logits[best]) - std::log(static_cast<double>(probabilities[best]));
        };
        double differences = 0.0;
        for (std::size_t i = at; i < at + words; ++i)
            if (truth[i] > 0.0f)
                differences += static_cast<double>(truth[i]) *
                               (static_cast<double>(truth_logits[i]) - static_cast<double>(said_logits[i]));
        sum += differences - (log_sum(truth_logits, truth) - log_sum(said_logits, said));
    }
    return std::max(0.0, sum / static_cast<double>(rows) / std::log(2.0));
}

}  // namespace glassformer
