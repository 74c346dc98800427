#pragma once

#include <memory>
#include <vector>

#include "core/tasks/world_data.h"
#include "core/train/trainer.h"
#include "tests/same_bytes.h"

namespace glassformer::testing {

/// Returns a small corpus of ids in sentences of 4 to 9 words.
inline std::shared_ptr<const BatchSource> small_corpus() {
    std::vector<std::vector<int>> corpus;
    for (int s = 0; s < 30; ++s) {
        corpus.emplace_back();
        for (int p = 0; p < 4 + s % 6; ++p) corpus.back().push_back(3 + (s * 7 + p * p) % 20);
    }
    return std::make_shared<MaskedWords>(corpus, 9);
}

inline TransformerConfig training_config() {
    return {.d_vocab = 23, .n_ctx = 9, .d_model = 16, .n_heads = 2, .n_layers = 2, .d_mlp = 40};
}

/// Batches of eight sentences, and a rate at which every method learns something in forty steps.
inline TrainOptions training_options(OptimizerKind kind = OptimizerKind::adamw) {
    TrainOptions options;
    options.optimizer.kind = kind;
    options.schedule = {0.01f, 5, 60, 0.05f};
    options.batch = 8;
    options.seed = 5;
    return options;
}

inline constexpr OptimizerKind all_optimizers[] = {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::adam,
                                                   OptimizerKind::adamw};

inline std::vector<float> copy_of(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace glassformer::testing
