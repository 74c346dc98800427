#include "core/analysis/pca.h"

#include <Eigen/Dense>
#include <algorithm>

namespace glassformer {

namespace {
constexpr Eigen::Index rows_at_once = 4096;  // a large vocabulary is not copied whole
}

Pca pca(std::span<const float> points, std::size_t d, const Pca* previous) {
    Pca result;
    result.mean.assign(d, 0.0f);
    for (auto& direction : result.directions) direction.assign(d, 0.0f);
    const auto n = static_cast<Eigen::Index>(d ? points.size() / d : 0), width = static_cast<Eigen::Index>(d);
    if (n < 2) return result;
    const Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> x(points.data(), n,
                                                                                                    width);
    const Eigen::RowVectorXf mean = x.colwise().mean();
    Eigen::MatrixXf scatter = Eigen::MatrixXf::Zero(width, width);
    for (Eigen::Index first = 0; first < n; first += rows_at_once) {
        const Eigen::MatrixXf centred = x.middleRows(first, std::min(rows_at_once, n - first)).rowwise() - mean;
        scatter.noalias() += centred.transpose() * centred;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXf> solver(scatter);
    Eigen::Map<Eigen::RowVectorXf>(result.mean.data(), width) = mean;
    const float total = solver.eigenvalues().sum();
    for (Eigen::Index k = 0; k < std::min<Eigen::Index>(3, width); ++k) {
        Eigen::VectorXf v = solver.eigenvectors().col(width - 1 - k);
        if (previous && previous->directions[static_cast<std::size_t>(k)].size() == d) {
            const Eigen::Map<const Eigen::VectorXf> before(previous->directions[static_cast<std::size_t>(k)].data(),
                                                           width);
            if (v.dot(before) < 0.0f) v = -v;
        }
        Eigen::Map<Eigen::VectorXf>(result.directions[static_cast<std::size_t>(k)].data(), width) = v;
        result.share[static_cast<std::size_t>(k)] = total > 0.0f ? solver.eigenvalues()[width - 1 - k] / total : 0.0f;
    }
    return result;
}

std::array<float, 3> Pca::project(std::span<const float> point) const {
    std::array<float, 3> out{};
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t j = 0; j < mean.size(); ++j) out[k] += (point[j] - mean[j]) * directions[k][j];
    return out;
}

}  // namespace glassformer
