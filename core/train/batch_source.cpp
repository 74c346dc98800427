#include "core/train/batch_source.h"

#include <algorithm>
#include <utility>

namespace glassformer {

void set_inputs(Execution& run, const TransformerGraph& model, const Batch& batch) {
    const std::pair<int, const std::vector<float>*> inputs[] = {{model.tokens, &batch.tokens},
                                                                {model.values, &batch.values},
                                                                {model.key_mask, &batch.key_mask},
                                                                {model.source_tokens, &batch.source_tokens},
                                                                {model.source_key_mask, &batch.source_key_mask},
                                                                {model.targets, &batch.targets},
                                                                {model.target_values, &batch.target_values},
                                                                {model.loss_weights, &batch.loss_weights}};
    for (const auto& [id, values] : inputs)
        if (id >= 0) run.set_input(id, *values);
    if (model.token_types >= 0) std::ranges::fill(run.input_values(model.token_types), 0.0f);
}

void set_training_inputs(Execution& run, const TransformerGraph& model, const Batch& batch, std::uint64_t seed,
                         std::int64_t step) {
    set_inputs(run, model, batch);
    // Below 2^24 a float holds every integer.
    constexpr std::uint64_t exact = std::uint64_t{1} << 24;
    const float state[] = {1.0f, static_cast<float>(static_cast<std::uint64_t>(step) % exact),
                           static_cast<float>(seed % exact)};
    if (model.state >= 0) run.set_input(model.state, state);
}

std::int64_t words_of(const Batch& batch) {
    std::int64_t words = 0;
    for (const std::vector<float>* mask : {&batch.key_mask, &batch.source_key_mask})
        words += std::ranges::count_if(*mask, [](float m) { return m != 0.0f; });
    return batch.key_mask.empty() ? std::ssize(batch.loss_weights) : words;
}

}  // namespace glassformer
