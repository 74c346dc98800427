#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/head_circuits.h"
#include "core/analysis/word_circuit.h"

// The factors of a WordCircuit.
namespace glassformer {

/// One of the model's norms, for rows that are not in its trace.
struct RowNorm {
    NormKind kind = NormKind::layer_norm;
    float epsilon = 0.0f;
    std::vector<float> gamma, beta, mean, variance;

    /// The parameters are named `name`.w, …
    RowNorm(const Trace& trace, const std::string& name, std::int64_t width);

    void apply(std::span<float> row) const;
    /// Turns a direction that reads the norm's output into one that reads its input (the linear part of the norm).
    void fold(std::span<float> direction) const;
};

/// One side of a circuit: from a word's vector to the head's dimensions.
struct WordSide {
    using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    int table = -1;  ///< parameter: [words, d], or [d, words] if `columns`
    bool columns = false;
    float factor = 1.0f;  ///< embedding scale
    std::int64_t offset = 0, words = 0, width = 0;
    std::optional<RowNorm> norm, head_norm;
    bool folds = false;  ///< `norm` follows what the head writes
    Floats weights;      ///< [d, head's dimensions]
    Eigen::RowVectorXf bias;
    Floats made;  ///< [words, head's dimensions]

    WordSide(const Trace& trace, int table_node, bool by_columns);
    /// Computes `count` rows of `made`.
    void make(const ParameterValues& parameters, std::int64_t first, std::int64_t count);

private:
    Floats rows(const ParameterValues& parameters, std::int64_t first, std::int64_t count) const;
};

/// The queries, keys or values of all words: 'q', 'k' or 'v'.
WordSide reading_side(const Trace& trace, const WordCircuitOf& of, const HeadWeights& weights, char letter);
/// The predicted words, as the head's values reach them.
WordSide saying_side(const Trace& trace, const WordCircuitOf& of, const HeadWeights& weights);
bool has_unembedding(const TransformerGraph& model);

}  // namespace glassformer
