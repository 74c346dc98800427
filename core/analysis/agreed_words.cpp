#include <algorithm>
#include <cmath>
#include <functional>

#include "core/analysis/word_parts.h"

namespace glassformer {

std::vector<int> agreed_words(const WordParts& parts, std::size_t most) {
    std::vector<const std::vector<double>*> methods;
    for (const auto* values : {&parts.removed, &parts.hidden, &parts.gradient, &parts.integrated, &parts.rollout})
        if (!std::ranges::all_of(*values, [](double x) { return std::isnan(x); })) methods.push_back(values);
    if (methods.size() < 2) return {};
    // A word without a number in one of them would take up its place in the others.
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < parts.gradient.size(); ++i)
        if (std::ranges::none_of(methods, [&](const auto* values) { return std::isnan((*values)[i]); }))
            all.push_back(i);
    std::vector<std::size_t> counted(parts.gradient.size());
    std::vector<int> signs(parts.gradient.size());
    for (const auto* values : methods) {
        std::vector<std::size_t> order = all;
        std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return std::abs((*values)[i]); });
        order.resize(std::min(order.size(), most));
        for (const std::size_t i : order) {
            if ((*values)[i] == 0.0) continue;
            ++counted[i];
            if (values != &parts.rollout) signs[i] += (*values)[i] > 0.0 ? 1 : -1;
        }
    }
    const int signed_methods =
        static_cast<int>(std::ranges::count_if(methods, [&](const auto* m) { return m != &parts.rollout; }));
    std::vector<int> found;
    for (const std::size_t i : all)
        if (counted[i] == methods.size() && std::abs(signs[i]) == signed_methods) found.push_back(static_cast<int>(i));
    return found;
}

}  // namespace glassformer
