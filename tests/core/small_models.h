#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/rng.h"
#include "core/trace/tracer.h"
#include "tests/same_bytes.h"

namespace glassformer::testing {

/// A model with untrained random parameters, biases and γ included, and its traces.
struct SmallModel {
    SmallModel(std::string called, const TransformerConfig& c) : name(std::move(called)), config(c) {
        const BatchShape shape{1, 1, config.family == Family::encoder_decoder ? 1 : 0};
        std::vector<float> values = initial_parameters(*build_transformer(config, shape).graph, 3);
        Rng rng(8);
        for (float& value : values) value += static_cast<float>(0.15 * rng.normal());
        parameters = std::make_shared<ParameterValues>(std::move(values));
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
            .norm_epsilon = 1e-3f,
            .init_std = 0.3f};
}

template <class Change>
std::unique_ptr<SmallModel> small_model(const std::string& name, const Change& change) {
    TransformerConfig config = small_config();
    change(config);
    return std::make_unique<SmallModel>(name, config);
}

/// Returns models with every kind of stream, norm, attention and output that the analyses treat alike.
inline std::vector<std::unique_ptr<SmallModel>> small_models() {
    using Config = TransformerConfig;
    std::vector<std::unique_ptr<SmallModel>> models;
    const auto add = [&](const std::string& name, const auto& change) { models.push_back(small_model(name, change)); };
    add("encoder", [](Config&) {});
    add("decoder, one γ and one β", [](Config& c) {
        c.family = Family::decoder, c.norm_scalar = true, c.activation = Activation::gelu_tanh, c.dropout = 0.3f;
    });
    add("decoder, RMSNorm, rotary, untied, no biases", [](Config& c) {
        c.family = Family::decoder, c.norm = NormKind::rms_norm, c.positions = Positions::rotary, c.tied = false;
        c.activation = Activation::swiglu, c.attention.biases = false;
    });
    add("decoder, RMSNorm, one γ, alibi, attention only", [](Config& c) {
        c.family = Family::decoder, c.norm = NormKind::rms_norm, c.norm_scalar = true;
        c.positions = Positions::alibi, c.activation = Activation::none;
    });
    add("encoder without norms, untied, no mask, d_k 3, d_v 5", [](Config& c) {
        c.norm_placement = NormPlacement::none, c.positions = Positions::sinusoidal, c.tied = false;
        c.attention.d_head = 3, c.attention.d_value = 5, c.attention.padding_mask = false;
    });
    add("decoder without positions, scale and mask", [](Config& c) {
        c.family = Family::decoder, c.positions = Positions::none;
        c.attention.scale = c.attention.padding_mask = false;
    });
    return models;
}

inline const std::vector<int> sentence_a{4, 7, 2, 11, 7}, sentence_b{4, 9, 2, 17, 3};

}  // namespace glassformer::testing
