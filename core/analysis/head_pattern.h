#pragma once

#include <optional>
#include <span>
#include <vector>

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

}  // namespace glassformer
