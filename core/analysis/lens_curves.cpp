#include "core/analysis/lens_curves.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/surprise.h"

namespace glassformer {

LensCurves::LensCurves(std::vector<std::vector<float>> logits) : logits_(std::move(logits)) {
    for (const std::vector<float>& layer : logits_) entropy_.push_back(surprise_of_logits(layer, 0).entropy);
    for (int layer = layers() - 1; layer >= 0; --layer) {
        const std::vector<float>& all = logits_[layer];
        const int best = static_cast<int>(std::ranges::max_element(all) - all.begin());
        if (std::ranges::find(leaders_, best, &Leader::word) == leaders_.end()) leaders_.push_back({best, layer});
    }
}

int LensCurves::rank(int layer, int word) const {
    const std::vector<float>& all = logits_[layer];
    const float own = all[word];
    int before = 0;
    for (int id = 0; id < static_cast<int>(all.size()); ++id) before += all[id] > own || (all[id] == own && id < word);
    return before + 1;
}

double LensCurves::probability(int layer, int word) const {
    return std::exp2(-surprise_of_logits(logits_[layer], word).bits);
}

}  // namespace glassformer
