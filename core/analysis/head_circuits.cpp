#include "core/analysis/head_circuits.h"

#include <Eigen/Dense>
#include <limits>

#include "core/base/error.h"
#include "core/ops/rotary.h"

namespace glassformer {

namespace {

using Matrix = Eigen::MatrixXd;
using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A learned matrix as stored in the graph.
Eigen::Map<const Floats> weights(const Trace& trace, int node) {
    const Shape& shape = trace.graph()[node].shape;
    return {trace.values(node).data(), static_cast<Eigen::Index>(shape[0]), static_cast<Eigen::Index>(shape[1])};
}

/// left · rightᵀ. Its singular values are those of the product of two small triangular matrices, so they are cheap even
/// for wide models.
Circuit circuit_of(const Matrix& left, const Matrix& right) {
    const Matrix product = left * right.transpose();
    Circuit c;
    c.rows = static_cast<int>(product.rows()), c.columns = static_cast<int>(product.cols());
    c.values.resize(product.size());
    Eigen::Map<Floats>(c.values.data(), product.rows(), product.cols()) = product.cast<float>();
    const auto triangle = [](const Matrix& m) {
        const Eigen::Index kept = std::min(m.rows(), m.cols());
        const Matrix r = Eigen::HouseholderQR<Matrix>(m).matrixQR().topRows(kept);
        return Matrix(r.triangularView<Eigen::Upper>());
    };
    // Both have d_model rows and one head's columns, so the product is square and needs no preconditioner.
    const Matrix square = triangle(left) * triangle(right).transpose();
    const Eigen::VectorXd found = Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner>(square).singularValues();
    c.singular.assign(found.data(), found.data() + found.size());
    // The weights are float32: a singular value below their rounding is not a real direction.
    const double rounding = c.singular.empty() ? 0.0
                                               : c.singular.front() * static_cast<double>(product.rows()) *
                                                     static_cast<double>(std::numeric_limits<float>::epsilon());
    for (const double value : c.singular) c.rank += value > rounding;
    return c;
}

/// Rows of queries or keys: subtracts their mean if the norm is centred, and multiplies by the γ of the norm `name`.
void fold_norm(const Trace& trace, const std::string& name, Floats& rows) {
    const std::optional<int> gamma = trace.graph().find(name + ".w");
    if (!gamma) return;
    if (trace.model().config.norm == NormKind::layer_norm) rows.colwise() -= rows.rowwise().mean().eval();
    const std::span<const float> factors = trace.values(*gamma);
    for (Eigen::Index i = 0; i < rows.cols(); ++i) rows.col(i) *= factors[static_cast<std::size_t>(i) % factors.size()];
}

}  // namespace

bool has_circuits(const Graph& graph, const std::string& prefix) {
    return graph.find(prefix + "W_O") && (graph.find(prefix + "W_Q") || graph.find(prefix + "W_QKV"));
}

HeadWeights head_weights(const Trace& trace, const std::string& prefix, int head) {
    const TransformerConfig& config = trace.model().config;
    const Graph& graph = trace.graph();
    if (!has_circuits(graph, prefix)) throw Error("no weights called {1}W_Q and {1}W_O", prefix);
    if (head < 0 || head >= config.n_heads) throw Error("there is no head {1}", head);
    const int out = graph.at(prefix + "W_O");
    if (const std::optional<int> all = graph.find(prefix + "W_QKV")) return {*all, *all, *all, out, head, head};
    return {graph.at(prefix + "W_Q"),
            graph.at(prefix + "W_K"),
            graph.at(prefix + "W_V"),
            out,
            head,
            head / (config.n_heads / config.n_key_value_heads())};
}

void turn_queries(const Graph& graph, const std::string& prefix, int distance, std::int64_t width,
                  std::span<float> rows) {
    const std::optional<int> turned = graph.find(prefix + "hook_rot_q");
    if (!turned || distance == 0) return;
    // Uses the model's own kernel, with all rows at position `distance` and their keys at 0.
    ThreadPool pool(1);
    std::vector<float> from(rows.begin(), rows.end());
    const std::int64_t count = static_cast<std::int64_t>(rows.size()) / width;
    kernel::rotation_of(*graph[*turned].op, width)
        .apply(pool, {count, 1, 1, width}, from.data(), {rows.data(), false}, distance, 1.0);
}

HeadCircuits head_circuits(const Trace& trace, const std::string& prefix, int head, int distance) {
    const HeadWeights of = head_weights(trace, prefix, head);
    const TransformerConfig& config = trace.model().config;
    const int width = config.d_head(), value_width = config.d_value();
    const auto columns = [&](int node, int which, int wide) {
        return Floats(weights(trace, node).middleCols(Eigen::Index{which} * wide, wide));
    };
    Floats query = columns(of.query, head, width), key = columns(of.key, of.group, width);
    fold_norm(trace, prefix + "q_norm", query);
    fold_norm(trace, prefix + "k_norm", key);
    turn_queries(trace.graph(), prefix, distance, width, {query.data(), static_cast<std::size_t>(query.size())});
    const Matrix out =
        weights(trace, of.out).middleRows(Eigen::Index{head} * value_width, value_width).cast<double>().transpose();
    const auto has = [&](const char* name) { return trace.graph().find(prefix + name).has_value(); };
    return {circuit_of(query.cast<double>(), key.cast<double>()),
            circuit_of(columns(of.value, of.group, value_width).cast<double>(), out),
            width,
            value_width,
            has("hook_rot_q"),
            config.attention.qk_norm,
            has("b_Q") || has("b_QKV") || has("b_O")};
}

}  // namespace glassformer
