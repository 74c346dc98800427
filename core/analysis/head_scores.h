#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/telling_words.h"
#include "core/backend/backend.h"
#include "core/trace/trace.h"
#include "core/train/fixed_batch.h"
#include "core/train/timeline.h"

namespace glassformer {

/// The mean weight of a pattern [query, key] on the token just before, over all queries but the first (a
/// previous-token head scores near 1). None for a single token. Throws Error when the pattern is not length × length.
std::optional<double> previous_word_score(std::span<const float> pattern, int length);

/// The mean weight on the token after the latest earlier copy of the token that a query is on, over the queries
/// that have one (an induction head scores near 1; Olsson et al. 2022). None where fewer than a quarter of the tokens
/// have an earlier copy: then the sequence does not repeat, and the number would say little. Throws Error when the
/// pattern is not of these tokens.
std::optional<double> induction_score(std::span<const float> pattern, std::span<const int> tokens);

/// The mean weight on the latest earlier copy itself, over the same queries and none where induction_score is (a
/// duplicate-token head scores near 1; Wang et al. 2022, "Interpretability in the Wild"). Throws Error the same way.
std::optional<double> duplicate_token_score(std::span<const float> pattern, std::span<const int> tokens);

/// A pattern as a picture of at most `most` × `most`: [rows, columns], where each number is the mean of the patch of
/// cells that it stands for, so that a picture is as dark as its pattern at any size. With no more than `most` queries
/// and keys it is the pattern itself.
struct PatternPicture {
    int rows = 0, columns = 0;
    std::vector<float> weights;
};
/// Throws Error when `pattern` [queries, keys] has another size or `most` is below 1.
PatternPicture pattern_picture(std::span<const float> pattern, int queries, int keys, int most);

/// The scores of all heads of self-attention over one traced sentence: previous_word_score, induction_score and
/// duplicate_token_score, 0 where they say nothing; the telling word, which a trace does not know, has 0. None for a
/// model without attention, or one that reads numbers.
std::vector<HeadScore> head_scores(const Trace& trace);

/// Measures the same again and again as a model learns, on sentences of random words that are said twice, as Olsson et
/// al. (2022) do it: what is before tells nothing but through the repetition. The telling-word score is the mean, over
/// sentences of the world, of the weight of the word that is told about on all the words that tell, less an even share:
/// (w − e) / (1 − e), where e is the mean weight of a head that looks everywhere alike; 0 below that. Not thread-safe.
class HeadScoreProbe {
public:
    static constexpr int sentences = 8, longest_half = 16;

    /// Null where there is nothing to measure: no attention, numbers instead of words, a source sentence, or less than
    /// four words to read. Words below `first_word` are special and not used.
    static std::unique_ptr<HeadScoreProbe> make(Backend& backend, const TransformerConfig& config, int first_word,
                                                std::vector<TellingSentence> telling = {});
    /// For models of the task: special words are not used, and its telling sentences are.
    static std::unique_ptr<HeadScoreProbe> make(Backend& backend, const TransformerConfig& config, const Task& task);

    /// By block, then by head; the mean over the sentences.
    std::vector<HeadScore> measure(std::span<const float> parameters);

private:
    HeadScoreProbe(Backend& backend, const TransformerConfig& config, int first_word,
                   std::vector<TellingSentence> telling);
    void measure_telling(std::span<const float> parameters, std::vector<HeadScore>& scores);

    FixedBatch batch_;
    std::vector<TellingSentence> telling_;
    std::unique_ptr<FixedBatch> telling_batch_;  // null where there are none
};

/// The Toeplitz matrix that lies nearest to an attention pattern: one weight for each distance between query and key.
struct ToeplitzFit {
    int queries = 0, keys = 0;
    std::vector<float> diagonals;  // [queries + keys − 1], by distance(); 0 where no cell of that distance is allowed
    std::vector<float> fitted;     // [queries, keys]; 0 where the mask hides the key
    double explained = 0.0;        // R² of the fit; 1 is a pattern that knows distances alone
    int offset = 0;                // keys before the first query's own

    /// How far a key lies before its query; negative after it.
    int distance(int query, int key) const { return query + offset - key; }
    int least() const { return offset - (keys - 1); }
    int most() const { return queries - 1 + offset; }
    /// The weight of a distance least() … most(), in this order in `diagonals`.
    float weight(int of) const { return diagonals[of - least()]; }
};

/// With `causal` the last query and the last key are the same word: there may be keys that were kept from before. Else
/// the first ones stand at the same place: of a translation, key 0 is the source's first word.
///
/// The least-squares fit over the cells that the mask allows (with `causal`, those of distance ≥ 0): the weight of a
/// distance is the mean of its cells, which minimizes Σ (p − w)² over them.
///
/// R² = 1 − Σ (p − fitted)² / Σ (p − u)² over the allowed cells, where u = 1/n is what a head that looks everywhere
/// alike would give each of the n allowed keys of the query. So R² is the share of the pattern's squared deviation from
/// indifference that distances alone explain. A causal uniform pattern is not Toeplitz (its rows have different n), so
/// R² may be negative. Where the pattern is uniform there is no deviation: R² is 1 if the fit is exact, else 0.
/// Throws Error when `pattern` [queries, keys] has another size or there are no cells.
ToeplitzFit nearest_toeplitz(std::span<const float> pattern, int queries, int keys, bool causal);

}  // namespace glassformer
