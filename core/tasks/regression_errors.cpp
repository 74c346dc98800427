#include "core/tasks/regression_errors.h"

#include <Eigen/Dense>

#include "core/base/error.h"

namespace glassformer {

namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd matrix(std::span<const float> xs, std::size_t d) {
    return Eigen::Map<const RowMajor>(xs.data(), static_cast<Eigen::Index>(xs.size() / d), static_cast<Eigen::Index>(d))
        .cast<double>();
}

Eigen::VectorXd vector(std::span<const float> values) {
    return Eigen::Map<const Eigen::VectorXf>(values.data(), static_cast<Eigen::Index>(values.size())).cast<double>();
}

/// Calls error(prompt, pair) for each and averages over the prompts.
template <class ErrorAt>
std::vector<double> mean_squares(const RegressionBatches& prompts, const Batch& batch, const ErrorAt& error) {
    const auto pairs = static_cast<std::size_t>(prompts.functions().pairs());
    const std::size_t count = batch.target_values.size() / (2 * pairs);
    std::vector<double> errors(pairs);
    for (std::size_t prompt = 0; prompt < count; ++prompt)
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const double e = error(prompt, pair);
            errors[pair] += e * e;
        }
    for (double& e : errors) e /= static_cast<double>(count) * prompts.functions().d();
    return errors;
}

}  // namespace

double least_squares(std::span<const float> xs, std::span<const float> ys, std::span<const float> x) {
    if (ys.empty()) return 0.0;
    const Eigen::VectorXd w = matrix(xs, x.size()).completeOrthogonalDecomposition().solve(vector(ys));
    return w.dot(vector(x));
}

double ridge(double lambda, std::span<const float> xs, std::span<const float> ys, std::span<const float> x) {
    if (ys.empty()) return 0.0;
    const Eigen::MatrixXd m = matrix(xs, x.size());
    Eigen::MatrixXd gram = m.transpose() * m;
    gram.diagonal().array() += lambda;
    const Eigen::VectorXd w = gram.ldlt().solve(m.transpose() * vector(ys));
    return w.dot(vector(x));
}

std::vector<double> errors_by_pair(const RegressionBatches& prompts, const Batch& batch, const Regressor& regressor) {
    const auto d = static_cast<std::size_t>(prompts.functions().d());
    const auto pairs = static_cast<std::size_t>(prompts.functions().pairs());
    const std::size_t width = d + 1;
    std::vector<float> xs(pairs * d), ys(pairs);
    return mean_squares(prompts, batch, [&](std::size_t prompt, std::size_t pair) {
        const std::size_t cell = 2 * (prompt * pairs + pair);
        std::copy_n(batch.values.begin() + static_cast<std::ptrdiff_t>(cell * width), d,
                    xs.begin() + static_cast<std::ptrdiff_t>(pair * d));
        ys[pair] = batch.target_values[cell];
        const double guess =
            regressor(std::span(xs).first(pair * d), std::span(ys).first(pair), std::span(xs).subspan(pair * d, d));
        return guess - static_cast<double>(ys[pair]);
    });
}

std::vector<double> errors_by_pair(const RegressionBatches& prompts, const Batch& batch,
                                   std::span<const float> predictions) {
    if (predictions.size() != batch.target_values.size()) throw Error("the predictions are not of this batch");
    const auto pairs = static_cast<std::size_t>(prompts.functions().pairs());
    return mean_squares(prompts, batch, [&](std::size_t prompt, std::size_t pair) {
        const std::size_t cell = 2 * (prompt * pairs + pair);
        return static_cast<double>(predictions[cell]) - static_cast<double>(batch.target_values[cell]);
    });
}

}  // namespace glassformer
