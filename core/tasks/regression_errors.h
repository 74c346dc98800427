#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/tasks/regression_batches.h"

namespace glassformer {

/// A guess of f(x) from the pairs seen before: xs [n, d] row-major, ys [n], x [d]; n may be 0.
using Regressor = std::function<double(std::span<const float> xs, std::span<const float> ys, std::span<const float> x)>;

/// w·x with the shortest w of all that fit the pairs best (least squares, minimum norm; 0 without pairs). Exact,
/// without noise, from d pairs on; with fewer it is the best guess there is, since w comes from N(0, I).
double least_squares(std::span<const float> xs, std::span<const float> ys, std::span<const float> x);
/// w·x with w = (XᵀX + λI)⁻¹Xᵀy, λ > 0. It is the best guess when the values carry noise of variance λ. Ours carry
/// none: least squares is its limit for λ → 0, and any λ only pulls w towards 0 and costs accuracy, the less the more
/// pairs.
double ridge(double lambda, std::span<const float> xs, std::span<const float> ys, std::span<const float> x);
/// The λ that the regression world compares with: a tenth of the variance of one coordinate of w.
inline constexpr double ridge_lambda = 0.1;

/// Mean squared error ÷ d at each pair, the first at [0] (nothing seen yet), over the prompts of a batch. Guessing the
/// mean of all values, 0, gives about 1 everywhere.
std::vector<double> errors_by_pair(const RegressionBatches& prompts, const Batch& batch, const Regressor& regressor);
/// The same of a model's predictions [batch, pos, 1]. Throws Error when they are not of this batch.
std::vector<double> errors_by_pair(const RegressionBatches& prompts, const Batch& batch,
                                   std::span<const float> predictions);

}  // namespace glassformer
