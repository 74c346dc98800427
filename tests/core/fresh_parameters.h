#pragma once

#include <cstdint>
#include <memory>

#include "core/graph/parameters.h"
#include "core/nn/transformer.h"

namespace glassformer {

/// The parameters of an untrained model.
inline Parameters fresh_parameters(const TransformerConfig& config, std::uint64_t seed) {
    const BatchShape shape{1, 1, config.family == Family::encoder_decoder ? 1 : 0};
    return std::make_shared<ParameterValues>(initial_parameters(*build_transformer(config, shape).graph, seed));
}

}  // namespace glassformer
