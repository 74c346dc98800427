#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// One of the two circuits of a head, between all words of its vocabulary (Elhage et al. 2021, "A Mathematical
/// Framework for Transformer Circuits"):
///     query_key:     M = W_E · W_Q · R_Δ · W_Kᵀ · W_Eᵀ / √d_head   the score of a query (row) for a key (column)
///     value_output:  M = W_E · W_V · W_O · W_U                     what a word that is read (row) adds to a logit
struct WordCircuitOf {
    enum class Kind { query_key, value_output };
    Kind kind = Kind::query_key;
    std::string prefix;  ///< of the attention: "blocks.0.attn."
    int head = 0;
    /// Includes the norms and biases. Each word is then as attention reads it: its embedding, normalised by the norm
    /// before attention with that embedding's own mean and variance; biases of q, k and v; q/k norm. Of the final norm
    /// only γ and, for LayerNorm, the subtraction of the mean are included; the division by √(σ² + ε) depends on the
    /// sentence. So in block 0 of a model without position vectors, M of query_key is the score itself. False: only the
    /// products of the matrices.
    bool with_norms = true;
    int distance = 0;  ///< Δ, for rotary positions: how far the key is before its query

    bool operator==(const WordCircuitOf&) const = default;
};

/// A word with a large value in the circuit.
struct WordScore {
    int word = 0;
    float value = 0.0f;
};
struct WordPair {
    int row = 0, column = 0;
    float value = 0.0f;
};

/// How a circuit treats each word's own column.
struct OwnWords {
    /// The copying score Σ λ / Σ |λ| over the eigenvalues of M (Elhage et al. 2021). 1 if all are positive: the head
    /// predicts (for query_key: looks for) whatever mixture of words it reads. The nonzero eigenvalues are those of a
    /// matrix with d_head rows. None if the eigenvalues cannot be found.
    std::optional<double> eigenvalues;
    int words = 0;
    int raised = 0;  ///< words whose own value M[w, w] is positive
    int most = 0;    ///< words whose own value is the largest in their row
};

/// M is never stored: its rows are computed in batches from two factors [words, d_head], so the vocabulary may have any
/// size. All work happens in step(). After made(), other threads may call row(); after done(), all the rest.
class WordCircuit {
public:
    static constexpr std::size_t most_pairs = 40;

    /// Throws Error if has_word_circuit() is false or there is no such head. Keeps the parameters alive.
    WordCircuit(const Trace& trace, const WordCircuitOf& of);
    ~WordCircuit();
    WordCircuit(WordCircuit&&) noexcept;
    WordCircuit& operator=(WordCircuit&&) noexcept;

    const WordCircuitOf& of() const;
    int rows() const;     ///< query words; for value_output the words that are read
    int columns() const;  ///< key words; for value_output the words that are predicted

    /// Does a few milliseconds of work; does nothing once done.
    void step();
    bool made() const;
    bool done() const;
    /// From 0 to 1.
    double progress() const;

    /// The row of M for a word. Throws Error if there is no such word.
    std::vector<float> row(int word) const;
    /// The pairs with the largest values, largest first; with the smallest, smallest first.
    const std::vector<WordPair>& largest() const;
    const std::vector<WordPair>& smallest() const;
    /// None if rows and columns are words of two languages.
    const std::optional<OwnWords>& own() const;

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

/// True if the attention with this prefix has weights, and the model reads words and, for value_output, predicts words.
bool has_word_circuit(const TransformerGraph& model, const std::string& prefix, WordCircuitOf::Kind kind);

/// The `count` largest values of a row, largest first, or the smallest, smallest first.
std::vector<WordScore> top_of_row(std::span<const float> row, std::size_t count, bool smallest = false);

}  // namespace glassformer
