#include "core/train/batch_source.h"

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
}

}  // namespace glassformer
