#include "core/analysis/nearest_uses.h"

#include <cmath>
#include <map>

namespace glassformer {

namespace {

using Direction = std::vector<double>;

struct Centre {
    Direction sum;
    int count = 0;

    void add(std::span<const float> stream) {
        sum.resize(stream.size());
        for (std::size_t i = 0; i < stream.size(); ++i) sum[i] += static_cast<double>(stream[i]);
        ++count;
    }
};

Direction without(const WordUse& use, const std::map<int, Centre>& by_position, const Centre& all) {
    const auto at = by_position.find(use.position);
    const Centre& centre = at != by_position.end() && at->second.count >= enough_at_position ? at->second : all;
    Direction left(use.stream.begin(), use.stream.end());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= centre.sum[i] / centre.count;
    return left;
}

double product(const Direction& a, const Direction& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

std::vector<double> centred_cosines(const WordUse& here, std::span<const WordUse> uses) {
    constexpr double nothing = 1e-12;  // squared length that rounding leaves
    Centre all;
    std::map<int, Centre> by_position;
    for (const WordUse& use : uses) {
        all.add(use.stream);
        by_position[use.position].add(use.stream);
    }
    std::vector<double> cosines;
    if (uses.empty()) return cosines;
    const Direction mine = without(here, by_position, all);
    for (const WordUse& use : uses) {
        const Direction other = without(use, by_position, all);
        const double lengths = product(mine, mine) * product(other, other);
        cosines.push_back(lengths > nothing * nothing ? product(mine, other) / std::sqrt(lengths) : 0.0);
    }
    return cosines;
}

}  // namespace glassformer
