#pragma once

#include <span>
#include <vector>

namespace glassformer {

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
