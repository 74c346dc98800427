#include "core/analysis/head_circuits.h"

#include <Eigen/Dense>
#include <limits>

#include "core/base/error.h"

namespace glassformer {

namespace {

using Matrix = Eigen::MatrixXd;
using Weights = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// A learned matrix as the graph has it.
Weights weights(const Trace& trace, const std::string& name) {
    const int node = trace.graph().at(name);
    const Shape& shape = trace.graph()[node].shape;
    return {trace.values(node).data(), shape[0], shape[1]};
}

/// left · rightᵀ. Its singular values are those of the product of two small triangles, and so cheap for wide models.
Circuit circuit_of(const Matrix& left, const Matrix& right) {
    const Matrix product = left * right.transpose();
    Circuit c;
    c.rows = static_cast<int>(product.rows()), c.columns = static_cast<int>(product.cols());
    c.values.resize(product.size());
    Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        c.values.data(), product.rows(), product.cols()) = product.cast<float>();
    const auto triangle = [](const Matrix& m) {
        const Eigen::Index kept = std::min(m.rows(), m.cols());
        const Matrix r = Eigen::HouseholderQR<Matrix>(m).matrixQR().topRows(kept);
        return Matrix(r.triangularView<Eigen::Upper>());
    };
    // Both have d_model rows and one head's columns, so the product is square and needs no preparation.
    const Matrix square = triangle(left) * triangle(right).transpose();
    const Eigen::VectorXd found = Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner>(square).singularValues();
    c.singular.assign(found.data(), found.data() + found.size());
    // The weights are float32: what is smaller than their rounding is no direction of its own.
    const double rounding = c.singular.empty() ? 0.0
                                               : c.singular.front() * static_cast<double>(product.rows()) *
                                                     static_cast<double>(std::numeric_limits<float>::epsilon());
    for (const double value : c.singular) c.rank += value > rounding;
    return c;
}

}  // namespace

bool has_circuits(const Trace& trace, const std::string& prefix) {
    const Graph& graph = trace.graph();
    return graph.find(prefix + "W_O") && (graph.find(prefix + "W_Q") || graph.find(prefix + "W_QKV"));
}

HeadCircuits head_circuits(const Trace& trace, const std::string& prefix, int head) {
    const TransformerConfig& config = trace.model().config;
    if (!has_circuits(trace, prefix)) throw Error("no weights called " + prefix + "W_Q and " + prefix + "W_O");
    if (head < 0 || head >= config.n_heads) throw Error("there is no head " + std::to_string(head));
    const bool shared = !trace.graph().find(prefix + "W_Q");
    const int group = shared ? head : head / (config.n_heads / config.n_key_value_heads());
    const auto columns = [&](const char* letter, int of, int width) {
        const Weights all = weights(trace, prefix + "W_" + (shared ? "QKV" : letter));
        return Matrix(all.middleCols(Eigen::Index{of} * width, width).cast<double>());
    };
    const int width = config.d_head(), value_width = config.d_value();
    const Matrix out = weights(trace, prefix + "W_O")
                           .middleRows(Eigen::Index{head} * value_width, value_width)
                           .cast<double>()
                           .transpose();
    const auto has = [&](const char* name) { return trace.graph().find(prefix + name).has_value(); };
    return {circuit_of(columns("Q", head, width), columns("K", group, width)),
            circuit_of(columns("V", group, value_width), out),
            width,
            value_width,
            has("hook_rot_q"),
            config.attention.qk_norm,
            has("b_Q") || has("b_QKV") || has("b_O")};
}

}  // namespace glassformer
