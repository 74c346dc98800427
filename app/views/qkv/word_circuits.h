#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/views/qkv/qkv.h"
#include "core/analysis/head_circuits.h"
#include "core/analysis/word_circuit.h"

namespace glassformer::app::views::qkv {

/// A circuit of a head on screen once the vectors of all words are computed, or why there is none. It belongs to the
/// parameters that the sentence was traced with.
struct ShownCircuit {
    const WordCircuit* circuit = nullptr;
    std::string failure;
    int serial = 0;  ///< different for each circuit that is begun
};

/// For a large vocabulary a background task computes it, anew for other parameters, another head or distance.
ShownCircuit word_circuit(const Frame& frame, const HeadTrace& head, const WordCircuitOf& of);

}  // namespace glassformer::app::views::qkv
