#pragma once

#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/aligned.h"
#include "core/train/batch_source.h"

/// Every architecture that a switch of the config makes, small enough to test cell by cell.
namespace glassformer::testing {

struct Variant {
    std::string name;
    TransformerConfig config;
};

const std::vector<Variant>& variants();

/// A variant with random parameters (biases too) and a random batch with padding.
struct VariantModel {
    static constexpr int positions = 7, source_positions = 5;

    VariantModel(const Variant& variant, int batch, bool training = true);

    std::unique_ptr<Execution> prepare(Backend& backend, const PlanRequest& request) const;
    std::vector<int> all_nodes() const;
    std::vector<float> read(const Execution& run, int id) const;
    /// Returns the loss in double from the logits of a run.
    double loss(const Execution& run) const;

    TransformerGraph model;
    const Graph& graph;
    AlignedFloats parameters;
    Batch inputs;
    bool training;
};

}  // namespace glassformer::testing
