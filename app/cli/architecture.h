#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/nn/config.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace glassformer::app {

/// What the command line says of a new model; where it says nothing, the world's own choice holds.
struct ArchitectureArgs {
    std::optional<int> layers, heads, d_model, d_mlp, key_heads, window;
    std::optional<std::string> family, positions, norm, norm_placement, activation, projections, readout;
    std::optional<bool> residual, mlp_residual, tied, biases, scale, qk_norm, parallel;
    std::optional<float> dropout, rotary_pct;
};

/// Adds its options; returns them.
std::vector<CLI::Option*> add_architecture(CLI::App& command, ArchitectureArgs& args);

/// The model that is asked for, in a world whose own is `world`. Throws Error where it cannot be built, or cannot learn
/// that world.
TransformerConfig config_of(const TransformerConfig& world, const ArchitectureArgs& args);

}  // namespace glassformer::app
