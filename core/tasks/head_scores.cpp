#include "core/tasks/head_scores.h"

#include "core/base/error.h"

namespace glassformer {

namespace {

/// Mean over sentences and queries of the weight on key_of(sentence's first cell, query); a key below 0 is left out.
template <class KeyOf>
std::vector<double> mean_weight(std::span<const float> pattern, int n_heads, int positions, const Batch& batch,
                                const KeyOf& key_of) {
    const auto heads = static_cast<std::size_t>(n_heads), length = static_cast<std::size_t>(positions);
    if (pattern.size() != batch.tokens.size() * heads * length) throw Error("the pattern is not of this batch");
    std::vector<double> sums(heads);
    std::size_t counted = 0;
    for (std::size_t sentence = 0; sentence < batch.tokens.size() / length; ++sentence)
        for (std::size_t query = 0; query < length; ++query) {
            const int key = key_of(sentence * length, query);
            if (key < 0) continue;
            ++counted;
            for (std::size_t head = 0; head < heads; ++head) {
                const std::size_t row = ((sentence * heads + head) * length + query) * length;
                sums[head] += static_cast<double>(pattern[row + static_cast<std::size_t>(key)]);
            }
        }
    for (double& sum : sums) sum /= counted > 0 ? static_cast<double>(counted) : 1.0;
    return sums;
}

}  // namespace

std::vector<double> previous_word_scores(std::span<const float> pattern, int n_heads, int positions,
                                         const Batch& batch) {
    return mean_weight(pattern, n_heads, positions, batch, [&](std::size_t begin, std::size_t query) {
        return batch.key_mask[begin + query] == 0.0f ? -1 : static_cast<int>(query) - 1;
    });
}

std::vector<double> induction_scores(std::span<const float> pattern, int n_heads, int positions, const Batch& batch) {
    return mean_weight(pattern, n_heads, positions, batch, [&](std::size_t begin, std::size_t query) {
        if (batch.loss_weights[begin + query] == 0.0f) return -1;
        for (std::size_t earlier = query; earlier-- > 0;)
            if (batch.tokens[begin + earlier] == batch.tokens[begin + query]) return static_cast<int>(earlier) + 1;
        return -1;
    });
}

}  // namespace glassformer
