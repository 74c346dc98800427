#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "core/train/batch_source.h"

namespace glassformer {

class Rng;

/// f(x) = w·x in up to 16 dimensions.
struct LinearFunction {
    static constexpr int most_dimensions = 16;
    std::array<double, most_dimensions> w{};

    float at(std::span<const float> x) const;
};

/// Random linear functions and points to evaluate them at, for regression in context (Garg et al. 2022): w and every x
/// from N(0, I), no noise. So f(x) has mean 0 and variance d. Allocates nothing.
class LinearFunctions {
public:
    /// `pairs` points of each function, in d dimensions. Throws Error if a size is below 1, or d above most_dimensions.
    LinearFunctions(int d, int pairs);

    int d() const { return d_; }
    int pairs() const { return pairs_; }
    LinearFunction draw(Rng& rng) const;
    /// Fills x [d] with a random point.
    static void draw_point(Rng& rng, std::span<float> x);

private:
    int d_, pairs_;
};

/// Points of linear functions as prompts for regression in context: x₁, f(x₁), x₂, f(x₂) … The vector at position 2i is
/// (xᵢ, 0), at position 2i + 1 (0 …, f(xᵢ)), d + 1 wide. The model must predict f(xᵢ) at position 2i, and only there.
class RegressionBatches final : public BatchSource {
public:
    explicit RegressionBatches(const LinearFunctions& functions) : functions_(functions) {}

    BatchShape shape(int batch) const override { return {batch, positions()}; }
    /// Allocates nothing beyond what BatchSource states.
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override;

    /// Prompts that training never sees; always the same ones.
    Batch held_out(int prompts) const;
    const LinearFunctions& functions() const { return functions_; }
    int positions() const { return 2 * functions_.pairs(); }
    int d_input() const { return functions_.d() + 1; }

private:
    void fill(Rng& rng, int batch, Batch& out) const;

    LinearFunctions functions_;
};

/// Predicts f(x) from the pairs seen so far: xs [n, d] row-major, ys [n], x [d]; n may be 0.
using Regressor = std::function<double(std::span<const float> xs, std::span<const float> ys, std::span<const float> x)>;

/// w·x with the shortest w among those that fit the pairs best (least squares, minimum norm; 0 without pairs). Exact
/// from d pairs on, as there is no noise. With fewer pairs it is the best possible guess, since w comes from N(0, I).
double least_squares(std::span<const float> xs, std::span<const float> ys, std::span<const float> x);
/// w·x with w = (XᵀX + λI)⁻¹Xᵀy, λ > 0. This is the best guess if the values carry noise of variance λ. Ours carry
/// none: least squares is the limit for λ → 0, and any λ only pulls w towards 0 and costs accuracy, less so with more
/// pairs.
double ridge(double lambda, std::span<const float> xs, std::span<const float> ys, std::span<const float> x);
/// The λ used for comparison in the regression world: a tenth of the variance of one coordinate of w.
inline constexpr double ridge_lambda = 0.1;

/// Mean squared error ÷ d at each pair, over the prompts of a batch. The first, with nothing seen yet, is at [0].
/// Guessing the mean of all values, 0, gives about 1 everywhere.
std::vector<double> errors_by_pair(const RegressionBatches& prompts, const Batch& batch, const Regressor& regressor);
/// The same for a model's predictions [batch, pos, 1]. Throws Error if they do not belong to this batch.
std::vector<double> errors_by_pair(const RegressionBatches& prompts, const Batch& batch,
                                   std::span<const float> predictions);

}  // namespace glassformer
