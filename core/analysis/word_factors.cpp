#include "core/analysis/word_factors.h"

#include <cmath>

#include "core/analysis/output_head.h"
#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

using Floats = WordSide::Floats;
using Row = Eigen::RowVectorXf;

/// A parameter with one value per feature; it may store a single value for all features.
std::vector<float> repeated(const Trace& trace, const std::string& name, std::int64_t width) {
    const std::optional<int> node = trace.graph().find(name);
    if (!node) return {};
    const std::span<const float> values = trace.values(*node);
    std::vector<float> all(static_cast<std::size_t>(width));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = values[i % values.size()];
    return all;
}

}  // namespace

RowNorm::RowNorm(const Trace& trace, const std::string& name, std::int64_t width)
    : kind(trace.model().config.norm),
      epsilon(trace.model().config.norm_epsilon),
      gamma(repeated(trace, name + ".w", width)),
      beta(repeated(trace, name + ".b", width)),
      mean(repeated(trace, name + ".running_mean", width)),
      variance(repeated(trace, name + ".running_var", width)) {}

void RowNorm::apply(std::span<float> row) const {
    const Eigen::Map<Row> x(row.data(), std::ssize(row));
    double taken = 0.0, square = 0.0;
    const auto width = static_cast<double>(row.size());
    if (kind == NormKind::layer_norm) taken = x.cast<double>().mean();
    for (const float v : row) square += (static_cast<double>(v) - taken) * (static_cast<double>(v) - taken) / width;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool batch = kind == NormKind::batch_norm;
        const double centre = batch ? static_cast<double>(mean[i]) : taken,
                     spread = (batch ? static_cast<double>(variance[i]) : square) + static_cast<double>(epsilon);
        const double normal = (static_cast<double>(row[i]) - centre) / std::sqrt(spread);
        row[i] = static_cast<float>(normal * static_cast<double>(gamma[i]) +
                                    (beta.empty() ? 0.0 : static_cast<double>(beta[i])));
    }
}

void RowNorm::fold(std::span<float> direction) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < direction.size(); ++i) {
        direction[i] *= gamma[i];
        if (kind == NormKind::batch_norm) direction[i] /= std::sqrt(variance[i] + epsilon);
        sum += static_cast<double>(direction[i]);
    }
    if (kind != NormKind::layer_norm) return;
    const auto mean_of_all = static_cast<float>(sum / static_cast<double>(direction.size()));
    for (float& v : direction) v -= mean_of_all;
}

WordSide::WordSide(const Trace& trace, int table_node, bool by_columns) : table(table_node), columns(by_columns) {
    const NodeInfo& info = trace.graph()[table_node];
    offset = info.offset, words = info.shape[by_columns ? 1 : 0], width = info.shape[by_columns ? 0 : 1];
}

Floats WordSide::rows(const ParameterValues& parameters, std::int64_t first, std::int64_t count) const {
    Floats rows(count, width);
    if (!columns) {
        parameters.copy(offset + first * width, {rows.data(), static_cast<std::size_t>(rows.size())});
    } else if (const TypedMatrix* stored = parameters.stored(offset)) {
        for (std::int64_t i = 0; i < count; ++i)
            widen_row(stored->transposed(), first + i, {rows.row(i).data(), static_cast<std::size_t>(width)});
    } else {
        const float* all = parameters.values(offset, words * width).data();
        rows = Eigen::Map<const Floats>(all, width, words).middleCols(first, count).transpose();
    }
    if (factor != 1.0f) rows *= factor;
    return rows;
}

void WordSide::make(const ParameterValues& parameters, std::int64_t first, std::int64_t count) {
    Floats x = rows(parameters, first, count);
    const auto row = [](Floats& of, std::int64_t i) {
        return std::span(of.row(i).data(), static_cast<std::size_t>(of.cols()));
    };
    for (std::int64_t i = 0; norm && i < count; ++i) folds ? norm->fold(row(x, i)) : norm->apply(row(x, i));
    Floats result = x * weights;
    if (bias.size() > 0) result.rowwise() += bias;
    for (std::int64_t i = 0; head_norm && i < count; ++i) head_norm->apply(row(result, i));
    made.middleRows(first, count) = result;
}

namespace {

/// The norm whose result a node is.
std::optional<RowNorm> norm_at(const Trace& trace, int node) {
    if (trace.graph().role(node) != OpRole::norm_affine) return std::nullopt;
    const std::string& name = trace.graph()[trace.graph()[node].inputs[0]].name;  // "blocks.0.ln1.hook_normalized"
    return RowNorm(trace, name.substr(0, name.rfind('.')), trace.graph()[node].shape.back());
}

/// Some columns of a weight matrix, or of a bias (one row).
Floats columns_of(const Trace& trace, int node, std::int64_t first, std::int64_t count) {
    const Shape& shape = trace.graph()[node].shape;
    const std::int64_t all = shape.back(), rows = shape.elements() / all;
    Floats found(rows, count);
    for (std::int64_t r = 0; r < rows; ++r)
        trace.parameters()->copy(trace.graph()[node].offset + r * all + first,
                                 {found.row(r).data(), static_cast<std::size_t>(count)});
    return found;
}

/// The linear map that computes queries, keys or values ('q', 'k', 'v').
int projection(const Graph& graph, const std::string& prefix, char letter) {
    const auto of_memory = graph.find(prefix + "qkv_memory");
    if (of_memory && letter != 'q') return *of_memory;
    if (const auto all = graph.find(prefix + "qkv")) return *all;
    const auto shared = graph.find(prefix + letter + "_shared");
    return shared ? *shared : graph.at(prefix + letter + "_merged");
}

int table_of_words(const Graph& graph, bool source) {
    const auto of_source = graph.find("encoder.embed.W_E");
    return source && of_source ? *of_source : graph.at("embed.W_E");
}

}  // namespace

bool has_unembedding(const TransformerGraph& model) {
    return model.config.output == OutputKind::words && Unembedding(model).row >= 0;
}

WordSide reading_side(const Trace& trace, const WordCircuitOf& of, const HeadWeights& weights, char letter) {
    const Graph& graph = trace.graph();
    const TransformerConfig& config = trace.model().config;
    const NodePlace place = node_place(of.prefix + "hook_pattern");
    WordSide side(trace, table_of_words(graph, letter == 'q' ? place.of_source() : place.keys_of_source()), false);
    side.factor = config.embedding_scale;
    const NodeInfo& map = graph[projection(graph, of.prefix, letter)];
    const std::int64_t width = letter == 'v' ? config.d_value() : config.d_head(),
                       first = (letter == 'q' ? weights.head : weights.group) * width;
    side.weights = columns_of(trace, map.inputs[1], first, width);
    if (!of.with_norms) return side;
    side.norm = norm_at(trace, map.inputs[0]);
    if (map.inputs.size() > 2) side.bias = columns_of(trace, map.inputs[2], first, width);
    const std::string head_norm = of.prefix + letter + "_norm";
    if (letter != 'v' && graph.find(head_norm + ".w")) side.head_norm = RowNorm(trace, head_norm, width);
    return side;
}

WordSide saying_side(const Trace& trace, const WordCircuitOf& of, const HeadWeights& weights) {
    const Unembedding output(trace.model());
    WordSide side(trace, output.matrix, !output.by_word);
    const std::int64_t width = trace.model().config.d_value();
    Floats out(width, side.width);
    trace.parameters()->copy(trace.graph()[weights.out].offset + weights.head * width * side.width,
                             {out.data(), static_cast<std::size_t>(out.size())});
    side.weights = out.transpose();
    // BERT's norm before the unembedding reads another layer, not the stream.
    if (of.with_norms && !trace.model().config.head_transform) side.norm = norm_at(trace, output.row);
    side.folds = true;
    return side;
}

}  // namespace glassformer
