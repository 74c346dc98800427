#pragma once

#include "core/train/batch_source.h"
#include "core/worlds/linear_functions.h"

namespace glassformer {

/// Points of linear functions as prompts for regression in context: x₁, f(x₁), x₂, f(x₂) … The vector at position 2i is
/// (xᵢ, 0), at position 2i + 1 (0 …, f(xᵢ)), d + 1 wide; at position 2i, and there alone, f(xᵢ) is to be predicted.
class RegressionBatches final : public BatchSource {
public:
    explicit RegressionBatches(const LinearFunctions& functions) : functions_(functions) {}

    BatchShape shape(int batch) const override { return {batch, positions()}; }
    /// Allocates nothing beyond what BatchSource says.
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override;

    /// Prompts that training never sees, always the same.
    Batch held_out(int prompts) const;
    const LinearFunctions& functions() const { return functions_; }
    int positions() const { return 2 * functions_.pairs(); }
    int d_input() const { return functions_.d() + 1; }

private:
    void fill(Rng& rng, int batch, Batch& out) const;

    LinearFunctions functions_;
};

}  // namespace glassformer
