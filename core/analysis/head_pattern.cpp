#include "core/analysis/head_pattern.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace glassformer {

namespace {

void require_size(std::span<const float> pattern, int queries, int keys) {
    if (queries < 1 || keys < 1 || pattern.size() != static_cast<std::size_t>(queries) * static_cast<std::size_t>(keys))
        throw Error("a pattern of " + std::to_string(queries) + " queries and " + std::to_string(keys) +
                    " keys cannot have " + std::to_string(pattern.size()) + " cells");
}

/// For every token, the place of its latest earlier copy, or −1.
std::vector<int> earlier_copies(std::span<const int> tokens) {
    std::vector<int> copies(tokens.size(), -1);
    for (std::size_t here = 0; here < tokens.size(); ++here)
        for (std::size_t earlier = here; earlier-- > 0 && copies[here] < 0;)
            if (tokens[earlier] == tokens[here]) copies[here] = static_cast<int>(earlier);
    return copies;
}

/// The mean weight on the token so many places after the earlier copy of a query's own.
std::optional<double> weight_after_copy(std::span<const float> pattern, std::span<const int> tokens, int places) {
    require_size(pattern, static_cast<int>(tokens.size()), static_cast<int>(tokens.size()));
    const std::vector<int> copies = earlier_copies(tokens);
    double sum = 0.0;
    std::size_t counted = 0;
    for (std::size_t query = 0; query < tokens.size(); ++query) {
        if (copies[query] < 0) continue;
        ++counted;
        sum += static_cast<double>(pattern[query * tokens.size() + static_cast<std::size_t>(copies[query] + places)]);
    }
    if (4 * counted < tokens.size() || counted == 0) return std::nullopt;
    return sum / static_cast<double>(counted);
}

/// The mean over some queries and keys, each from the first up to before the second.
float mean_of_patch(std::span<const float> pattern, int keys, std::pair<int, int> rows, std::pair<int, int> columns) {
    double sum = 0.0;
    for (int query = rows.first; query < rows.second; ++query) {
        const float* cells = pattern.data() + std::int64_t{query} * keys;
        sum = std::accumulate(cells + columns.first, cells + columns.second, sum);
    }
    return static_cast<float>(sum / ((rows.second - rows.first) * (columns.second - columns.first)));
}

}  // namespace

std::optional<double> previous_word_score(std::span<const float> pattern, int length) {
    require_size(pattern, length, length);
    if (length < 2) return std::nullopt;
    const std::size_t n = length;
    double sum = 0.0;
    for (std::size_t query = 1; query < n; ++query) sum += static_cast<double>(pattern[query * n + query - 1]);
    return sum / static_cast<double>(n - 1);
}

std::optional<double> induction_score(std::span<const float> pattern, std::span<const int> tokens) {
    return weight_after_copy(pattern, tokens, 1);
}

std::optional<double> duplicate_token_score(std::span<const float> pattern, std::span<const int> tokens) {
    return weight_after_copy(pattern, tokens, 0);
}

PatternPicture pattern_picture(std::span<const float> pattern, int queries, int keys, int most) {
    require_size(pattern, queries, keys);
    if (most < 1) throw Error("a picture of a pattern needs at least one row");
    PatternPicture picture{std::min(queries, most), std::min(keys, most), {}};
    picture.weights.reserve(static_cast<std::size_t>(picture.rows) * static_cast<std::size_t>(picture.columns));
    const auto edge = [](int i, int count, int of) { return static_cast<int>(std::int64_t{i} * of / count); };
    for (int row = 0; row < picture.rows; ++row)
        for (int column = 0; column < picture.columns; ++column) {
            const int top = edge(row, picture.rows, queries), bottom = edge(row + 1, picture.rows, queries);
            const int left = edge(column, picture.columns, keys), right = edge(column + 1, picture.columns, keys);
            picture.weights.push_back(mean_of_patch(pattern, keys, {top, bottom}, {left, right}));
        }
    return picture;
}

}  // namespace glassformer
