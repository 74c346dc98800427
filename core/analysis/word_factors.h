#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/head_circuits.h"
#include "core/analysis/word_circuit.h"

// What a WordCircuit is the product of.
namespace glassformer {

/// A norm of the model for rows that are not in its trace.
struct RowNorm {
    NormKind kind = NormKind::layer_norm;
    float epsilon = 0.0f;
    std::vector<float> gamma, beta, mean, variance;

    /// The parameters are called `name`.w, …
    RowNorm(const Trace& trace, const std::string& name, std::int64_t width);

    void apply(std::span<float> row) const;
    /// What a direction is that reads the norm's result, for its input: all that is linear in it.
    void fold(std::span<float> direction) const;
};

/// One side of a circuit: from a word's vector to the head's dimensions.
struct WordSide {
    using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    int table = -1;  ///< parameter: [words, d], or with `columns` [d, words]
    bool columns = false;
    float factor = 1.0f;  ///< of the embedding
    std::int64_t offset = 0, words = 0, width = 0;
    std::optional<RowNorm> norm, head_norm;
    bool folds = false;  ///< `norm` comes after what the head writes
    Floats weights;      ///< [d, head's dimensions]
    Eigen::RowVectorXf bias;
    Floats made;  ///< [words, head's dimensions]

    WordSide(const Trace& trace, int table_node, bool by_columns);
    /// Some words of `made`.
    void make(const ParameterValues& parameters, std::int64_t first, std::int64_t count);

private:
    Floats rows(const ParameterValues& parameters, std::int64_t first, std::int64_t count) const;
};

/// Queries, keys or values of all words: 'q', 'k' or 'v'.
WordSide reading_side(const Trace& trace, const WordCircuitOf& of, const HeadWeights& weights, char letter);
/// The words that come out, as the head's values reach them.
WordSide saying_side(const Trace& trace, const WordCircuitOf& of, const HeadWeights& weights);
bool has_unembedding(const TransformerGraph& model);

}  // namespace glassformer
