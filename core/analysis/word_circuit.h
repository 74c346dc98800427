#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// One of the two circuits of a head, between all the words of its vocabulary (Elhage et al. 2021, "A Mathematical
/// Framework for Transformer Circuits"):
///     query_key:     M = W_E · W_Q · R_Δ · W_Kᵀ · W_Eᵀ / √d_head   the score of a query (row) for a key (column)
///     value_output:  M = W_E · W_V · W_O · W_U                     what a word that is read (row) adds to a logit
struct WordCircuitOf {
    enum class Kind { query_key, value_output };
    Kind kind = Kind::query_key;
    std::string prefix;  ///< of the attention: "blocks.0.attn."
    int head = 0;
    /// Each word as attention reads it: the norm before it applied to the word's embedding, with that embedding's own
    /// mean and variance; biases of q, k and v; q/k norm. Of the final norm γ, and for LayerNorm that the mean is taken
    /// away; its division by √(σ² + ε), which depends on the sentence, is left out. So in block 0 of a model without
    /// vectors of positions, M of query_key is the score itself. Off: the products of the matrices alone.
    bool with_norms = true;
    int distance = 0;  ///< Δ, for rotary positions: how far the key stands before its query

    bool operator==(const WordCircuitOf&) const = default;
};

/// A word for which a number of the circuit is large.
struct WordScore {
    int word = 0;
    float value = 0.0f;
};
struct WordPair {
    int row = 0, column = 0;
    float value = 0.0f;
};

/// How a circuit treats a word's own column.
struct OwnWords {
    /// Σ λ / Σ |λ| over the eigenvalues of M: its copying score (Elhage et al. 2021). 1 where all are positive:
    /// whatever mixture of words is read, it is that mixture which is said (of query_key: looked for). The eigenvalues
    /// other than 0 are those of a matrix of d_head rows. None where there are no eigenvalues to be found.
    std::optional<double> eigenvalues;
    int words = 0;
    int raised = 0;  ///< words whose own number M[w, w] is above 0
    int most = 0;    ///< words whose own number is the largest of their row
};

/// M is never stored: rows are made of two factors [words, d_head], some at a time, for a vocabulary of any size. All
/// work is done in step(). After made(), row() may be asked on another thread; after done(), all the rest.
class WordCircuit {
public:
    static constexpr std::size_t most_pairs = 40;

    /// Throws Error where has_word_circuit() is false, or for a head that is not there. Holds the parameters.
    WordCircuit(const Trace& trace, const WordCircuitOf& of);
    ~WordCircuit();
    WordCircuit(WordCircuit&&) noexcept;
    WordCircuit& operator=(WordCircuit&&) noexcept;

    const WordCircuitOf& of() const;
    int rows() const;     ///< words that ask; of value_output words that are read
    int columns() const;  ///< words that are looked for; of value_output words that are said

    /// Some milliseconds of work; nothing once it is done.
    void step();
    bool made() const;
    bool done() const;
    /// From 0 to 1.
    double progress() const;

    /// M's row of a word. Throws Error for a word that is not there.
    std::vector<float> row(int word) const;
    /// The pairs of the largest numbers, the largest first; of the smallest, the smallest first.
    const std::vector<WordPair>& largest() const;
    const std::vector<WordPair>& smallest() const;
    /// None where rows and columns are words of two languages.
    const std::optional<OwnWords>& own() const;

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

/// Whether attention of that prefix has weights, and the model the words: that are read, and for value_output that come
/// out.
bool has_word_circuit(const TransformerGraph& model, const std::string& prefix, WordCircuitOf::Kind kind);

/// The `count` largest numbers of a row, the largest first, or the smallest, the smallest first.
std::vector<WordScore> top_of_row(std::span<const float> row, std::size_t count, bool smallest = false);

}  // namespace glassformer
