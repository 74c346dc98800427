#include "app/session/meaning.h"

#include <algorithm>

#include "core/base/rng.h"

namespace glassformer::app {

namespace {

constexpr std::uint64_t map_seed = 104729;

}  // namespace

MeaningMaps::Planned& MeaningMaps::planned(int homonym_index) {
    const auto found = by_homonym_.find(homonym_index);
    if (found != by_homonym_.end()) return found->second;
    Planned fresh;
    fresh.last.homonym = training_.world.homonyms()[homonym_index];
    fresh.last.first_sense = 2 * homonym_index;
    std::vector<std::vector<int>> ids;
    for (int sense = 2 * homonym_index; sense < 2 * homonym_index + 2; ++sense) {
        Rng rng(map_seed, static_cast<std::uint64_t>(sense));
        for (std::size_t i = 0; i < sentences_per_sense; ++i) {
            const Sentence sentence = training_.world.generate(Split::train, sense, rng);
            ids.push_back(training_.encode(sentence));
            fresh.positions.push_back(sentence.homonym_pos);
            fresh.last.sense.push_back(sense);
            fresh.last.text.push_back(text_of(sentence));
        }
    }
    fresh.vectors = std::make_unique<ContextualVectors>(backend_, training_.config, std::move(ids));
    return by_homonym_.emplace(homonym_index, std::move(fresh)).first->second;
}

std::shared_ptr<MeaningMap> MeaningMaps::make(const std::string& homonym, std::span<const float> parameters) {
    const std::vector<std::string>& all = training_.world.homonyms();
    const auto where = std::ranges::find(all, homonym);
    if (where == all.end()) return nullptr;
    Planned& p = planned(static_cast<int>(where - all.begin()));
    p.vectors->run(parameters);
    const std::size_t d = p.vectors->d_model();
    p.last.layers.resize(p.vectors->layers());
    std::vector<float> cloud(p.positions.size() * d);
    for (int layer = 0; layer < p.vectors->layers(); ++layer) {
        for (std::size_t i = 0; i < p.positions.size(); ++i)
            std::ranges::copy(p.vectors->at(layer, i, p.positions[i]),
                              cloud.begin() + static_cast<std::ptrdiff_t>(i * d));
        MeaningMap::Layer& map = p.last.layers[layer];
        map.pca = pca(cloud, d, map.pca.mean.empty() ? nullptr : &map.pca);
        map.points.clear();
        for (std::size_t i = 0; i < p.positions.size(); ++i)
            map.points.push_back(map.pca.project(std::span(cloud).subspan(i * d, d)));
    }
    return std::make_shared<MeaningMap>(p.last);
}

}  // namespace glassformer::app
