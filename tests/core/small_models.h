#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/rng.h"
#include "core/trace/trace.h"

namespace glassformer::testing {

/// A model of untrained weights, biases and γ included, and its traces.
struct SmallModel {
    SmallModel(std::string called, const TransformerConfig& c) : name(std::move(called)), config(c) {
        std::vector<float> values = initial_parameters(*build_transformer(config, {1, 1}).graph, 3);
        Rng rng(8);
        for (float& value : values) value += static_cast<float>(0.15 * rng.normal());
        parameters = std::make_shared<std::vector<float>>(std::move(values));
    }

    std::shared_ptr<const Trace> trace(const std::vector<int>& tokens,
                                       const std::vector<Intervention>& interventions = {}) {
        return tracer.trace(tokens, parameters, interventions);
    }

    std::string name;
    TransformerConfig config;
    Parameters parameters;
    CpuBackend backend{1};
    Tracer tracer{backend, config};
};

inline TransformerConfig small_config() {
    return {.d_vocab = 19,
            .n_ctx = 8,
            .d_model = 12,
            .n_heads = 3,
            .n_layers = 2,
            .d_mlp = 20,
            .layer_norm_epsilon = 1e-3f,
            .init_std = 0.3f};
}

/// Models of every kind of stream and way out that the analyses know.
inline std::vector<std::unique_ptr<SmallModel>> small_models() {
    std::vector<std::unique_ptr<SmallModel>> models;
    models.push_back(std::make_unique<SmallModel>("encoder", small_config()));
    return models;
}

inline bool same_bytes(std::span<const float> a, std::span<const float> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

inline const std::vector<int> sentence_a{4, 7, 2, 11, 7}, sentence_b{4, 9, 2, 17, 3};

}  // namespace glassformer::testing
