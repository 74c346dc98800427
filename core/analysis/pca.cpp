#include "core/analysis/pca.h"

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>

namespace glassformer {

namespace {

constexpr std::size_t rows_at_once = 4096;  // avoids copying a large vocabulary at once

using Rows = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

PcaSums::PcaSums(std::span<const float> points, std::size_t d)
    : points_(points), width_(d), count_(d ? points.size() / d : 0), mean_(d, 0.0f) {
    if (count_ < 2) {
        added_ = count_;
        return;
    }
    scatter_.assign(d * d, 0.0f);
    // In Eigen's own memory: the order in which it adds depends on the result's address.
    const Eigen::RowVectorXf mean = Rows(points.data(), index(count_), index(d)).colwise().mean();
    Eigen::Map<Eigen::RowVectorXf>(mean_.data(), index(d)) = mean;
}

void PcaSums::add_rows() {
    const std::size_t some = std::min(rows_at_once, count_ - added_);
    if (some == 0) return;
    const Rows rows(points_.data() + added_ * width_, index(some), index(width_));
    const Eigen::MatrixXf centred = rows.rowwise() - Eigen::Map<const Eigen::RowVectorXf>(mean_.data(), index(width_));
    Eigen::Map<Eigen::MatrixXf> kept(scatter_.data(), index(width_), index(width_));
    Eigen::MatrixXf scatter = kept;
    scatter.selfadjointView<Eigen::Lower>().rankUpdate(centred.transpose());
    kept = scatter;
    added_ += some;
}

Pca PcaSums::directions(const Pca* previous) const {
    Pca result;
    result.mean = mean_;
    for (auto& direction : result.directions) direction.assign(width_, 0.0f);
    if (count_ < 2) return result;
    const Eigen::Index width = index(width_);
    // For a symmetric matrix the solver reads the lower triangle only.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXf> solver(
        Eigen::Map<const Eigen::MatrixXf>(scatter_.data(), width, width));
    const float total = solver.eigenvalues().sum();
    for (Eigen::Index k = 0; k < std::min<Eigen::Index>(3, width); ++k) {
        const std::size_t at = k;
        Eigen::VectorXf v = solver.eigenvectors().col(width - 1 - k);
        if (previous && previous->directions[at].size() == width_) {
            const Eigen::Map<const Eigen::VectorXf> before(previous->directions[at].data(), width);
            if (v.dot(before) < 0.0f) v = -v;
        }
        Eigen::Map<Eigen::VectorXf>(result.directions[at].data(), width) = v;
        result.share[at] = total > 0.0f ? solver.eigenvalues()[width - 1 - k] / total : 0.0f;
    }
    return result;
}

namespace {

/// For fewer points than dimensions: the points' Gram matrix is smaller and has the same variances.
Pca pca_of_few(std::span<const float> points, std::size_t d) {
    Pca result;
    const Eigen::Index count = index(points.size() / d);
    Eigen::MatrixXf centred = Rows(points.data(), count, index(d));
    const Eigen::RowVectorXf mean = centred.colwise().mean();
    centred.rowwise() -= mean;
    result.mean.assign(mean.data(), mean.data() + d);
    for (auto& direction : result.directions) direction.assign(d, 0.0f);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXf> solver(centred * centred.transpose());
    const float total = solver.eigenvalues().cwiseMax(0.0f).sum();
    for (Eigen::Index k = 0; k < std::min<Eigen::Index>(3, count); ++k) {
        const std::size_t at = k;
        const float variance = solver.eigenvalues()[count - 1 - k];
        if (total <= 0.0f || variance <= 1e-6f * total) break;
        Eigen::Map<Eigen::VectorXf>(result.directions[at].data(), index(d)) =
            (centred.transpose() * solver.eigenvectors().col(count - 1 - k)).normalized();
        result.share[at] = variance / total;
    }
    return result;
}

/// Flips directions to the signs closer to the previous ones.
void turn_like(Pca& found, const Pca& previous) {
    for (std::size_t k = 0; k < found.directions.size(); ++k) {
        const std::vector<float>&before = previous.directions[k], &now = found.directions[k];
        if (before.size() == now.size() && std::inner_product(now.begin(), now.end(), before.begin(), 0.0f) < 0.0f)
            for (float& value : found.directions[k]) value = -value;
    }
}

}  // namespace

Pca pca(std::span<const float> points, std::size_t d, const Pca* previous) {
    if (points.size() >= 2 * d && points.size() / d < d) {
        Pca found = pca_of_few(points, d);
        if (previous) turn_like(found, *previous);
        return found;
    }
    PcaSums sums(points, d);
    while (!sums.complete()) sums.add_rows();
    return sums.directions(previous);
}

std::array<float, 3> Pca::project(std::span<const float> point) const {
    std::array<float, 3> out{};
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t j = 0; j < mean.size(); ++j) out[k] += (point[j] - mean[j]) * directions[k][j];
    return out;
}

}  // namespace glassformer
