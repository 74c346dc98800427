#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/trace/trace.h"
#include "core/train/fixed_batch.h"
#include "core/train/timeline.h"

namespace glassformer {

/// The mean weight of a pattern [query, key] on the previous token, over all queries except the first (a previous-token
/// head scores near 1). None for a single token. Throws Error if the pattern is not length × length.
std::optional<double> previous_word_score(std::span<const float> pattern, int length);

/// The mean weight on the token after the latest earlier copy of the query's token, over the queries that have such a
/// copy (an induction head scores near 1; Olsson et al. 2022). None if fewer than a quarter of the tokens have an
/// earlier copy: the sequence does not repeat, so the number would mean little. Throws Error if the pattern does not
/// match the tokens.
std::optional<double> induction_score(std::span<const float> pattern, std::span<const int> tokens);

/// The mean weight on the latest earlier copy itself, over the same queries (a duplicate-token head scores near 1; Wang
/// et al. 2022, "Interpretability in the Wild"). None, and throws Error, as induction_score() does.
std::optional<double> duplicate_token_score(std::span<const float> pattern, std::span<const int> tokens);

/// A pattern as a picture of at most `most` × `most`: [rows, columns]. Each number is the mean of the patch of cells
/// that it represents, so the picture is equally dark at any size. With at most `most` queries and keys it is the
/// pattern itself.
struct PatternPicture {
    int rows = 0, columns = 0;
    std::vector<float> weights;
};
/// Throws Error if `pattern` [queries, keys] has another size or `most` is below 1.
PatternPicture pattern_picture(std::span<const float> pattern, int queries, int keys, int most);

/// The scores of all heads of self-attention over one traced sentence: previous_word_score, induction_score and
/// duplicate_token_score, with 0 for none. The telling-word score is always 0, because a trace does not know the
/// telling words. Empty for a model without attention, or one that reads numbers.
std::vector<HeadScore> head_scores(const Trace& trace);

/// A sentence in which some words reveal what another word means, or which word follows it.
struct TellingSentence {
    std::vector<int> tokens;
    int asks = 0;           // position of the word in question
    std::vector<int> keys;  // positions of the words that reveal it
};

/// The telling sentences of a task; the same ones on every call.
/// For a world of senses: held-out sentences of each sense. Their keys are the words that occur in the training
/// sentences of this sense but not in those of the homonym's other sense.
/// For a world whose samples say what one of their words should attend to (Sample::looks_at), unless it translates:
/// those samples, except where that word follows an earlier copy, which is induction.
/// Empty for any other task.
std::vector<TellingSentence> telling_sentences(const Task& task);

/// Measures the same scores repeatedly while a model learns, on sentences of random words that are repeated once, as
/// Olsson et al. (2022) do: only the repetition makes the next word predictable. The telling-word score is computed on
/// sentences of the world: w is the mean weight of the word in question on all the words that reveal it, e is the mean
/// weight of a head that attends uniformly, and the score is (w − e) / (1 − e), but at least 0. Not thread-safe.
class HeadScoreProbe {
public:
    static constexpr int sentences = 8, longest_half = 16;

    /// Returns null if there is nothing to measure: no attention, numbers instead of words, a source sentence, a
    /// context of fewer than four words, or no usable word. Words below `first_word` are special and not used.
    static std::unique_ptr<HeadScoreProbe> make(Backend& backend, const TransformerConfig& config, int first_word,
                                                std::vector<TellingSentence> telling = {});
    /// For models of the task: skips its special words and uses its telling sentences.
    static std::unique_ptr<HeadScoreProbe> make(Backend& backend, const TransformerConfig& config, const Task& task);

    /// By block, then by head; the mean over the sentences.
    std::vector<HeadScore> measure(std::span<const float> parameters);

private:
    HeadScoreProbe(Backend& backend, const TransformerConfig& config, int first_word,
                   std::vector<TellingSentence> telling);
    void measure_telling(std::span<const float> parameters, std::vector<HeadScore>& scores);

    FixedBatch batch_;
    std::vector<TellingSentence> telling_;
    std::unique_ptr<FixedBatch> telling_batch_;  // null if there are none
};

/// The Toeplitz matrix nearest to an attention pattern: one weight for each distance between query and key.
struct ToeplitzFit {
    int queries = 0, keys = 0;
    std::vector<float> diagonals;  // [queries + keys − 1], by distance(); 0 if no cell at that distance is allowed
    std::vector<float> fitted;     // [queries, keys]; 0 where the key is masked
    double explained = 0.0;        // R² of the fit; 1: the pattern depends on distance alone
    int offset = 0;                // keys before the first query's own

    /// How many positions a key precedes its query; negative after it.
    int distance(int query, int key) const { return query + offset - key; }
    int least() const { return offset - (keys - 1); }
    int most() const { return queries - 1 + offset; }
    /// The weight at a distance from least() to most(), the order of `diagonals`.
    float weight(int of) const { return diagonals[of - least()]; }
};

/// With `causal`, the last query and the last key are the same word, and there may be more keys than queries (cached
/// ones). Otherwise query 0 and key 0 are at the same position; in translation, key 0 is the first source word.
///
/// The least-squares fit over the cells that the mask allows (with `causal`, those at distance ≥ 0): the weight of a
/// distance is the mean of its cells, which minimizes Σ (p − w)² over them.
///
/// R² = 1 − Σ (p − fitted)² / Σ (p − u)² over the allowed cells. Here u = 1/n is what a uniform head would give each of
/// the query's n allowed keys. So R² is the share of the pattern's squared deviation from uniform that distances alone
/// explain. A causal uniform pattern is not Toeplitz (its rows have different n), so R² may be negative. A uniform
/// pattern has no deviation: R² is then 1 if the fit is exact, else 0.
/// Throws Error if `pattern` [queries, keys] has another size or there are no cells.
ToeplitzFit nearest_toeplitz(std::span<const float> pattern, int queries, int keys, bool causal);

}  // namespace glassformer
