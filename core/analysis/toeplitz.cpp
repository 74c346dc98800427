#include "core/analysis/toeplitz.h"

#include "core/base/error.h"

namespace glassformer {

namespace {

// Rows of n weights of 1/n in float32 differ from it by this much at most, squared and in sum.
constexpr double rounding = 1e-13;

double square(double x) { return x * x; }

/// Calls body(cell, query, distance) for every allowed cell.
template <class Body>
void for_allowed(const ToeplitzFit& fit, bool causal, const Body& body) {
    for (int query = 0; query < fit.queries; ++query)
        for (int key = 0; key < fit.keys; ++key) {
            const int distance = fit.distance(query, key);
            if (causal && distance < 0) continue;
            const auto cell =
                static_cast<std::size_t>(query) * static_cast<std::size_t>(fit.keys) + static_cast<std::size_t>(key);
            body(cell, static_cast<std::size_t>(query), static_cast<std::size_t>(distance - fit.least()));
        }
}

}  // namespace

ToeplitzFit nearest_toeplitz(std::span<const float> pattern, int queries, int keys, bool causal) {
    if (queries < 1 || keys < 1 || pattern.size() != static_cast<std::size_t>(queries) * static_cast<std::size_t>(keys))
        throw Error("a pattern of " + std::to_string(queries) + " queries and " + std::to_string(keys) +
                    " keys cannot have " + std::to_string(pattern.size()) + " cells");
    ToeplitzFit fit{queries, keys, {}, std::vector<float>(pattern.size()), 0.0, causal ? keys - queries : 0};
    std::vector<double> sum(static_cast<std::size_t>(queries + keys - 1)), count(sum.size()),
        allowed(static_cast<std::size_t>(queries));
    for_allowed(fit, causal, [&](std::size_t cell, std::size_t query, std::size_t diagonal) {
        sum[diagonal] += static_cast<double>(pattern[cell]);
        count[diagonal] += 1.0;
        allowed[query] += 1.0;
    });
    for (std::size_t d = 0; d < sum.size(); ++d) {
        if (count[d] > 0.0) sum[d] /= count[d];
        fit.diagonals.push_back(static_cast<float>(sum[d]));
    }
    double left = 0.0, deviation = 0.0;
    for_allowed(fit, causal, [&](std::size_t cell, std::size_t query, std::size_t diagonal) {
        fit.fitted[cell] = fit.diagonals[diagonal];
        left += square(static_cast<double>(pattern[cell]) - sum[diagonal]);
        deviation += square(static_cast<double>(pattern[cell]) - 1.0 / allowed[query]);
    });
    const double nothing = rounding * static_cast<double>(pattern.size());
    fit.explained = deviation > nothing ? 1.0 - left / deviation : (left > nothing ? 0.0 : 1.0);
    return fit;
}

}  // namespace glassformer
