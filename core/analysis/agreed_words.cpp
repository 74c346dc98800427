#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/analysis/word_parts.h"

namespace glassformer {

std::vector<int> agreed_words(const WordParts& parts, std::size_t most) {
    std::vector<int> signs(parts.gradient.size());
    std::vector<std::size_t> counted(parts.gradient.size());
    std::size_t methods = 0;
    std::vector<bool> agree(parts.gradient.size(), true);
    const auto size_at = [](const std::vector<double>& values, std::size_t i) {
        return std::isnan(values[i]) ? -1.0 : std::abs(values[i]);
    };
    for (const auto* values : {&parts.removed, &parts.hidden, &parts.gradient, &parts.integrated, &parts.rollout}) {
        if (values->empty() || std::ranges::all_of(*values, [](double x) { return std::isnan(x); })) continue;
        ++methods;
        std::vector<std::size_t> order(values->size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return size_at(*values, i); });
        order.resize(std::min(order.size(), most));
        for (const std::size_t i : order) {
            if (!(size_at(*values, i) > 0.0)) continue;
            ++counted[i];
            if (values == &parts.rollout) continue;
            const int sign = (*values)[i] > 0.0 ? 1 : -1;
            if (signs[i] != 0 && signs[i] != sign) agree[i] = false;
            signs[i] = sign;
        }
    }
    std::vector<int> found;
    for (std::size_t i = 0; i < counted.size(); ++i)
        if (agree[i] && methods > 1 && counted[i] == methods) found.push_back(static_cast<int>(i));
    return found;
}

}  // namespace glassformer
