#include "core/experiments/matched_heads.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/graph/hook_names.h"

namespace glassformer {

int HeadPatterns::find(int block, int head) const {
    for (std::size_t i = 0; i < heads.size(); ++i)
        if (heads[i].block == block && heads[i].head == head) return static_cast<int>(i);
    return -1;
}

HeadPatterns head_patterns(const Trace& trace) {
    HeadPatterns found;
    for (int block = 0;; ++block) {
        const auto node = trace.graph().find(block_hook(block, "attn.hook_pattern"));
        if (!node) return found;
        const Shape shape = trace.shape(*node);  // [head, query, key]
        found.queries = static_cast<int>(shape[1]);
        found.keys = static_cast<int>(shape[2]);
        const std::span<const float> all = trace.values(*node);
        const auto size = static_cast<std::size_t>(shape[1] * shape[2]);
        for (int head = 0; head < shape[0]; ++head) {
            const std::span<const float> one = all.subspan(static_cast<std::size_t>(head) * size, size);
            found.heads.push_back({block, head, {one.begin(), one.end()}});
        }
    }
}

double pattern_distance(std::span<const float> a, std::span<const float> b, int queries) {
    if (a.size() != b.size() || queries < 1)
        throw Error("patterns of {1} and {2} weights cannot be compared", a.size(), b.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    return std::isfinite(sum) ? sum / (2.0 * queries) : 1.0;
}

/// Assigns rows one after another. For each row it finds the cheapest augmenting path, which may move rows assigned
/// earlier to other columns. The prices of rows and columns keep cost − prices ≥ 0, and = 0 where a row is assigned.
std::vector<int> cheapest_assignment(std::span<const double> costs, int rows, int columns) {
    if (rows > columns || costs.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns))
        throw Error("{1} rows cannot each have one of {2} columns", rows, columns);
    if (!std::ranges::all_of(costs, [](double cost) { return std::isfinite(cost); }))
        throw Error("a cost that is not a finite number cannot be compared");
    constexpr double none = std::numeric_limits<double>::infinity();
    const std::size_t n = static_cast<std::size_t>(rows), m = static_cast<std::size_t>(columns), free = n;
    std::vector<double> row_price(n, 0.0), column_price(m + 1, 0.0);
    std::vector<std::size_t> row_of(m + 1, free), before(m, m);  // column m stands for "not assigned yet"
    for (std::size_t row = 0; row < n; ++row) {
        std::vector<double> reach(m, none);  // cost of the cheapest path to each column
        std::vector<bool> seen(m + 1, false);
        std::size_t column = m;
        row_of[m] = row;
        while (row_of[column] != free) {
            seen[column] = true;
            const std::size_t from = row_of[column];
            std::size_t nearest = m;
            double step = none;
            for (std::size_t c = 0; c < m; ++c) {
                if (seen[c]) continue;
                const double cost = costs[from * m + c] - row_price[from] - column_price[c];
                if (cost < reach[c]) reach[c] = cost, before[c] = column;
                if (reach[c] < step) step = reach[c], nearest = c;
            }
            for (std::size_t c = 0; c <= m; ++c) {
                if (seen[c])
                    row_price[row_of[c]] += step, column_price[c] -= step;
                else if (c < m)
                    reach[c] -= step;
            }
            column = nearest;
        }
        for (; column != m; column = before[column]) row_of[column] = row_of[before[column]];
    }
    std::vector<int> column_of(n, -1);
    for (std::size_t c = 0; c < m; ++c)
        if (row_of[c] != free) column_of[row_of[c]] = static_cast<int>(c);
    return column_of;
}

std::vector<MatchedHead> match_heads(const HeadPatterns& a, const HeadPatterns& b) {
    const std::size_t n = a.heads.size(), m = b.heads.size();
    if (n == 0 || m == 0) return {};
    std::vector<double> distance(n * m), turned(n * m);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j)
            turned[j * n + i] = distance[i * m + j] =
                pattern_distance(a.heads[i].weights, b.heads[j].weights, a.queries);
    std::vector<int> partner(n, -1);
    if (n <= m) {
        partner = cheapest_assignment(distance, static_cast<int>(n), static_cast<int>(m));
    } else {
        const std::vector<int> of = cheapest_assignment(turned, static_cast<int>(m), static_cast<int>(n));
        for (std::size_t j = 0; j < m; ++j) partner[static_cast<std::size_t>(of[j])] = static_cast<int>(j);
    }
    std::vector<MatchedHead> matched(n);
    for (std::size_t i = 0; i < n; ++i) {
        matched[i].shared = partner[i] < 0;
        std::size_t at = 0;
        if (matched[i].shared) {
            for (std::size_t j = 1; j < m; ++j)
                if (distance[i * m + j] < distance[i * m + at]) at = j;
        } else {
            at = static_cast<std::size_t>(partner[i]);
        }
        matched[i].index = static_cast<int>(at);
        matched[i].distance = distance[i * m + at];
    }
    return matched;
}

}  // namespace glassformer
