#include "core/analysis/head_pattern.h"

#include <algorithm>
#include <string>

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

}  // namespace

std::optional<double> previous_word_score(std::span<const float> pattern, int length) {
    require_size(pattern, length, length);
    if (length < 2) return std::nullopt;
    const auto n = static_cast<std::size_t>(length);
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
    picture.weights.assign(static_cast<std::size_t>(picture.rows) * static_cast<std::size_t>(picture.columns), 0.0f);
    for (int query = 0; query < queries; ++query) {
        const float* row = pattern.data() + std::int64_t{query} * keys;
        float* into = picture.weights.data() + std::int64_t{query} * picture.rows / queries * picture.columns;
        for (int column = 0; column < picture.columns; ++column) {
            const auto begin = std::int64_t{column} * keys / picture.columns,
                       end = std::int64_t{column + 1} * keys / picture.columns;
            into[column] = std::max(into[column], *std::max_element(row + begin, row + end));
        }
    }
    return picture;
}

}  // namespace glassformer
